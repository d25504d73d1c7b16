import { pbkdf2Sync } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { adminClients } from '../call.ts';
import { credentialsFor } from '../login.ts';

/** As Hydra writes it into its database (`oauth2.hashers.pbkdf2`, its default). */
const hydraHash = (secret: string): string => {
  const salt = Buffer.from('sixteen bytes ..');
  const key = pbkdf2Sync(secret, salt, 25_000, 32, 'sha256');
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$pbkdf2-sha256$i=25000,l=32$${plain(salt)}$${plain(key)}`;
};

describe('a client that is moved here with the hash of its secret', () => {
  const instance = startBeforeTests();

  const grant_types = ['client_credentials'];
  const create = async (id: string, members: object) => {
    const metadata = { client_id: id, grant_types, ...members };
    const { status, body } = await adminClients(instance, 'POST', '', metadata);
    return { status, body, text: JSON.stringify(body) };
  };
  const status = async (id: string, secret: string) => (await credentialsFor(instance, { id, secret })).status;

  test.each([
    ['PBKDF2', hydraHash('a-secret-of-old')],
    ['bcrypt', bcrypt.hashSync('a-secret-of-old', 4)],
  ])('authenticates with the secret it always had (%s), which is shown nowhere', async (name, hash) => {
    const made = await create(name, { client_secret_hash: hash });
    expect(made.status).toBe(201);
    expect(made.text).not.toContain('secret_hash');
    expect(made.body).not.toHaveProperty('client_secret');
    expect(await status(name, 'a-secret-of-old')).toBe(200);
    expect(await status(name, 'another-secret')).toBe(401);
    // The hash is no secret itself.
    expect(await status(name, hash)).toBe(401);
  });

  test('authenticates with rotated secrets too when their hashes follow the current one, until they are deleted', async () => {
    const secrets = ['the-current-secret', 'the-one-before-it', 'the-oldest-secret'];
    expect((await create('rotated', { client_secret_hash: secrets.map(hydraHash) })).status).toBe(201);
    for (const secret of secrets) expect(await status('rotated', secret)).toBe(200);
    await adminClients(instance, 'DELETE', '/rotated/secrets/rotate');
    expect(await Promise.all(secrets.map((secret) => status('rotated', secret)))).toEqual([200, 401, 401]);
    const many = Array.from({ length: 7 }, (_, index) => hydraHash(`secret-number-${index}`));
    expect((await create('too-many', { client_secret_hash: many })).status).toBe(400);
  });

  test('keeps it when it is set anew, and loses it for a new one', async () => {
    await create('later', { client_secret: 'the-first-secret' });
    const put = (members: object) => adminClients(instance, 'PUT', '/later', { grant_types, ...members });
    expect((await put({ client_secret_hash: hydraHash('moved-later') })).status).toBe(200);
    expect(await status('later', 'moved-later')).toBe(200);
    expect(await status('later', 'the-first-secret')).toBe(401);
    expect((await put({ client_secret: 'a-new-secret' })).status).toBe(200);
    expect(await status('later', 'moved-later')).toBe(401);
  });

  test.each([
    ['no hash', { client_secret_hash: 'not-a-hash-at-all' }],
    ['a hash that costs too much', { client_secret_hash: hydraHash('x').replace('i=25000', 'i=9000000') }],
    ['a bcrypt hash that costs too much', { client_secret_hash: bcrypt.hashSync('x', 4).replace('$04$', '$31$') }],
    ['a secret beside it', { client_secret_hash: hydraHash('x'), client_secret: 'a-secret' }],
  ])('a hash is refused with %s', async (_what, members) => {
    const { status: refused, text } = await create('refused', members);
    expect(refused).toBe(400);
    expect(text).toContain('client_secret_hash');
    expect(text).not.toContain(Object.values(members)[0]);
  });
});
