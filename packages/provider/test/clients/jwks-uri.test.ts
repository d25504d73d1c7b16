import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeEach, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { registerClient } from '../clients.ts';
import { json, openRemote, type Remote } from '../remote.ts';

/** Clients that publish their keys where they can be fetched (OpenID Connect Registration 1.0, `jwks_uri`). */

const keys = await createClientKeys('ES256', 'k1');
const publicKeys = keys.jwks;

const remote = beforeTests(() => openRemote());
const instance = startBeforeTests({ config: { outbound: { timeoutMs: 3_000 } } });

beforeEach(() => {
  remote.seen.length = 0;
});

const authenticate = async (id: string) =>
  postForm(`${instance.issuer}/oauth2/token`, {
    grant_type: 'client_credentials',
    ...(await keys.authenticate(id, instance.issuer)),
  });

let count = 0;
const register = async (jwksUri = `${remote.origin}/jwks`): Promise<string> => {
  const id = `client-${count++}`;
  await registerClient(instance, id, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri });
  return id;
};

test('a client is known by keys at its jwks_uri, which are fetched once', async () => {
  remote.answer = json(publicKeys);
  const id = await register();
  for (let i = 0; i < 3; i++) expect((await authenticate(id)).status).toBe(200);
  expect(remote.seen).toEqual(['GET /jwks']);
});

const unavailable = [400, { error: 'invalid_client', error_description: expect.stringContaining('jwks_uri') }];

test.each<[string, Remote['answer']]>([
  ['is not there', (_req, res) => void res.writeHead(404).end()],
  ['is elsewhere', (_req, res) => void res.writeHead(302, { location: '/other' }).end()],
  ['is huge', (_req, res) => void res.end(`{"keys":[],"x":"${'x'.repeat(100_000)}"}`)],
  ['hangs up', (req) => void req.socket.destroy()],
  ['never answers', () => undefined],
])('a client whose jwks_uri %s is told so', async (_what, answer) => {
  remote.answer = answer;
  const { status, body } = await authenticate(await register());
  expect([status, body]).toEqual(unavailable);
});

test('requests that wait for the same fetch of keys get the same answer', async () => {
  remote.answer = (_req, res) => void setTimeout(() => res.writeHead(503).end(), 300);
  const id = await register();
  const answers = await Promise.all([authenticate(id), authenticate(id), authenticate(id)]);
  expect(answers.map(({ status, body }) => [status, body])).toEqual([unavailable, unavailable, unavailable]);
  expect(remote.seen).toEqual(['GET /jwks']);
});

test('a client with no keys at its jwks_uri is not known', async () => {
  for (const keySet of [[], { keys: [] }, { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }]) {
    remote.answer = json(keySet);
    expect(await authenticate(await register())).toMatchObject(refusal('invalid_client', 401));
  }
});

test('keys are not fetched from a private address', async () => {
  const { status, body } = await authenticate(await register('https://10.0.0.1/jwks'));
  expect([status, body]).toEqual(unavailable);
  expect(instance.log()).toContain('private_address');
});
