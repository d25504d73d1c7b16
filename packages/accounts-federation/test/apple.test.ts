import { generateKeyPairSync } from 'node:crypto';
import { appleTeam, createAppleStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, type SignInOptions, signIn } from './open-preset.ts';

const client = clientOf('apple');
const keysOn = (namedCurve: string) =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const keys = keysOn('prime256v1');

const nameOf = (firstName: string, lastName: string) =>
  JSON.stringify({ name: { firstName, lastName }, email: 'victim@example.com' });
const ada = {
  sub: '001234.0a1b2c3d.0815',
  email: 'x7k2@privaterelay.appleid.com',
  email_verified: 'true',
  is_private_email: 'true',
  user: nameOf('Ada', 'Lovelace'),
};

const openWith = (members: object) => {
  const apple = createAppleStandIn(client, keys.publicKey);
  const options = optionsOf({
    ...{ name: 'apple', preset: 'apple', clientSecret: undefined, privateKey: keys.privateKey, ...appleTeam },
    ...members,
  });
  return { apple, opened: openProvider(options, apple.send) };
};

const open = async (members: object = {}) => {
  const { apple, opened } = openWith(members);
  const provider = await opened;
  return {
    by: (user: object, options?: SignInOptions) => signIn(provider, apple, client.redirectUri, { ...user }, options),
  };
};

describe('Apple', () => {
  it('a user signs in with a secret that Carnet signs; the name comes from the form, the address from the ID token', async () => {
    const { by } = await open();
    expect(await by(ada)).toMatchObject({
      outcome: 'verified',
      user: {
        ...{ subject: ada.sub, email: ada.email, emailVerified: true },
        claims: { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' },
      },
    });
  });

  it('the second form has no name, and a mapped name stays as it is', async () => {
    const { by } = await open({ claims: { name: 'name', private: 'is_private_email', groups: 'groups' } });
    expect(await by(ada)).toMatchObject({ user: { mapped: { name: 'Ada Lovelace', private: 'true' } } });
    expect(await by(ada)).toMatchObject({ user: { claims: { private: 'true' }, mapped: { groups: null } } });
    expect(await by(ada)).not.toMatchObject({ user: { mapped: { name: expect.anything() } } });
    expect(await by(ada)).not.toMatchObject({ user: { mapped: { name: null } } });
  });

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a name that is text', JSON.stringify({ name: 'Ada' })],
    ['names that are no texts', JSON.stringify({ name: { firstName: 1, lastName: null } })],
    ['other members', JSON.stringify({ sub: 'victim', groups: ['admins'], email_verified: true })],
  ])('%s in the form changes nothing', async (_title, user) => {
    const { by } = await open({ claims: { groups: 'groups' } });
    const result = await by({ ...ada, email_verified: 'false', user });
    expect(result).toMatchObject({ user: { subject: ada.sub, emailVerified: false, mapped: { groups: null } } });
    expect(result).not.toMatchObject({ user: { claims: { name: expect.anything() } } });
  });

  it('the name of the ID token decides where both have one', async () => {
    const { by } = await open();
    expect(await by({ ...ada, given_name: 'Augusta' })).toMatchObject({ user: { claims: { given_name: 'Augusta' } } });
  });

  it.each([
    [true, true],
    ['true', true],
    ['false', false],
    [undefined, false],
  ])('email_verified %j is %s', async (verified, emailVerified) => {
    const { by } = await open();
    expect(await by({ ...ada, email_verified: verified })).toMatchObject({ user: { emailVerified } });
  });

  it('the secret of another key or team is refused, and its text is in no reason', async () => {
    for (const members of [
      { privateKey: keysOn('prime256v1').privateKey },
      { teamId: 'OTHER' },
      { keyId: 'OTHER' },
      { clientId: 'other' },
    ]) {
      const result = await (await open(members)).by(ada).catch(String);
      expect(JSON.stringify(result)).toMatch(/invalid_client|refuses the request: client_id/);
    }
  });

  it('a code is redeemed by the browser that began only, and an ID token without the nonce is refused', async () => {
    const { by } = await open();
    expect(await by(ada, { secret: 'of another browser' })).toMatchObject({ outcome: 'failed' });
    expect(await by({ ...ada, nonce: undefined })).toMatchObject({ outcome: 'failed' });
  });

  it('a fresh sign-in is not proved, and its request has no parameter that Apple does not know', async () => {
    const { by } = await open();
    expect(await by(ada, { loginAfter: Date.now() })).toMatchObject({ user: { isFresh: false } });
    expect(await by(ada, { maxAge: 60 })).toMatchObject({ user: { isFresh: false } });
  });

  it('a key that cannot sign the secret stops the start', async () => {
    const { privateKey } = keysOn('secp384r1');
    await expect(openWith({ privateKey }).opened).rejects.toThrow('P-256');
    const rsa = generateKeyPairSync('rsa', {
      ...{ modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await expect(openWith({ privateKey: rsa.privateKey }).opened).rejects.toThrow('P-256');
  });
});
