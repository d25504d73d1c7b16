import { createPrivateKey, createPublicKey } from 'node:crypto';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { Configuration, type JsonWebKey, JwkApi } from '@ory/hydra-client';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { privateJwkMembers } from '../../src/jwk.ts';
import { startBeforeTests } from '../before-tests.ts';
import { publishedKeys } from '../call.ts';
import { registerClient } from '../clients.ts';
import { type Instance, start, testKeys } from '../harness.ts';
import { credentialsFor } from '../login.ts';
import { refusal, unknownMembers } from './sdk.ts';

const signingSets = ['hydra.openid.id-token', 'hydra.jwt.access-token'];

const createApi = ({ admin }: Instance): JwkApi => new JwkApi(new Configuration({ basePath: admin }));

const secretMembers = (jwk: object): string[] =>
  Object.keys(jwk).filter((name) => (privateJwkMembers as readonly string[]).includes(name));

const kidsOf = async (instance: Instance) => (await publishedKeys(instance)).keys.map(({ kid }) => kid);

describe("the SDK's key API", () => {
  const instance = startBeforeTests();
  let api: JwkApi;
  beforeAll(async () => {
    api = createApi(instance);
  });

  const create = (set: string, alg: string, kid: string, use = 'sig') =>
    api.createJsonWebKeySet({ set, createJsonWebKeySet: { alg, kid, use } });

  test.each(['RS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'HS256', 'HS512'])(
    'generates a key for %s that signs',
    async (alg) => {
      const { status, data } = await create(`of-${alg}`, alg, 'mine');
      expect(status).toBe(201);
      const [key] = data.keys as [JsonWebKey];
      expect(data.keys).toHaveLength(1);
      expect(key).toMatchObject({ kid: 'mine', alg, use: 'sig' });
      expect(unknownMembers('JsonWebKey', key)).toEqual([]);
      expect(secretMembers(key)).not.toEqual([]);
      const secret = alg.startsWith('HS')
        ? Buffer.from(key.k ?? '', 'base64url')
        : createPrivateKey({ key: key as never, format: 'jwk' });
      const jwt = await new SignJWT({ a: 1 }).setProtectedHeader({ alg, kid: 'mine' }).sign(secret);
      const { data: got } = await api.getJsonWebKeySet({ set: `of-${alg}` });
      expect(got).toEqual(data);
      if (alg.startsWith('HS')) return;
      expect((await jwtVerify(jwt, createPublicKey({ key: key as never, format: 'jwk' }))).payload).toEqual({ a: 1 });
    },
  );

  test('lists the newest key first, and answers for one alone', async () => {
    await create('two', 'ES256', 'older');
    await create('two', 'ES256', 'newer', 'enc');
    expect((await api.getJsonWebKeySet({ set: 'two' })).data.keys?.map(({ kid, use }) => [kid, use])).toEqual([
      ['newer', 'enc'],
      ['older', 'sig'],
    ]);
    expect((await api.getJsonWebKey({ set: 'two', kid: 'older' })).data.keys?.map(({ kid }) => kid)).toEqual(['older']);
  });

  test('makes up a kid where none is given', async () => {
    const { data } = await create('unnamed', 'ES256', '');
    expect(data.keys?.[0]?.kid).toMatch(/^[\w-]{43}$/);
  });

  test('sets, replaces and deletes keys and sets', async () => {
    const { publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs', alg: 'ES256', use: 'sig', x5c: [] } as JsonWebKey;
    expect((await api.setJsonWebKeySet({ set: 'theirs', jsonWebKeySet: { keys: [jwk] } })).data).toEqual({
      keys: [jwk],
    });
    const other = { ...jwk, kid: 'other', use: 'enc' };
    expect((await api.setJsonWebKey({ set: 'theirs', kid: 'other', jsonWebKey: other })).data).toEqual(other);
    expect((await api.getJsonWebKeySet({ set: 'theirs' })).data.keys).toHaveLength(2);
    await api.setJsonWebKeySet({ set: 'theirs', jsonWebKeySet: { keys: [other] } });
    expect((await api.getJsonWebKeySet({ set: 'theirs' })).data.keys).toEqual([other]);
    expect((await api.deleteJsonWebKey({ set: 'theirs', kid: 'other' })).status).toBe(204);
    expect((await refusal(api.getJsonWebKeySet({ set: 'theirs' }))).status).toBe(404);
    await create('gone', 'ES256', 'a');
    await create('gone', 'ES256', 'b');
    expect((await api.deleteJsonWebKeySet({ set: 'gone' })).status).toBe(204);
    expect((await refusal(api.getJsonWebKeySet({ set: 'gone' }))).status).toBe(404);
  });

  test('names the set of a new key in Location', async () => {
    const createJsonWebKeySet = { alg: 'ES256', kid: 'a', use: 'sig' };
    const { status, headers } = await api.createJsonWebKeySet({ set: 'a set', createJsonWebKeySet });
    expect([status, headers.location]).toEqual([201, '/admin/keys/a%20set']);
  });

  test('answers 204 to the deletion of an unknown set or key, as Hydra does', async () => {
    expect((await api.deleteJsonWebKeySet({ set: 'absent' })).status).toBe(204);
    expect((await api.deleteJsonWebKey({ set: 'absent', kid: 'absent' })).status).toBe(204);
  });

  test('keeps sets apart, whatever they and their keys are called', async () => {
    const names = ['a', 'A', 'a b', 'https://issuer.test/ü?x=1', 'constructor', '__proto__'];
    for (const set of names) await create(set, 'HS256', '__proto__');
    const keys = await Promise.all(
      names.map(async (set) => (await api.getJsonWebKey({ set, kid: '__proto__' })).data.keys?.[0]?.k),
    );
    expect(new Set(keys).size).toBe(names.length);
  });

  test('refuses what is no key, quoting nothing of it', async () => {
    const send = (keys: unknown) =>
      refusal(api.setJsonWebKeySet({ set: 'bad', jsonWebKeySet: { keys: keys as never } }));
    const [ec] = testKeys.keys.filter(({ alg }) => alg === 'ES256');
    for (const keys of [
      'none',
      [{ kid: 'a', kty: 'EC', crv: 'P-256', x: 'AAAA-private', y: 'AAAA-private' }],
      [{ kid: 'a', kty: 'oct' }],
      [{ kid: 'a', kty: 'AKP-private' }],
      [{ ...ec, kid: undefined }],
      [{ ...ec, kid: 'a\nb' }],
      [ec, ec],
    ]) {
      const { status, data } = await send(keys);
      expect([status, data.error]).toEqual([400, 'invalid_request']);
      expect(JSON.stringify(data)).not.toContain('private');
    }
    expect((await refusal(api.getJsonWebKeySet({ set: 'bad' }))).status).toBe(404);
  });

  test.each([
    ['an unknown algorithm', () => create('x', 'XX256', 'a'), 400],
    ['an algorithm by the name of a member of every object', () => create('x', 'constructor', 'a'), 400],
    ['an unknown use', () => create('x', 'ES256', 'a', 'both'), 400],
    ['an unknown set', () => api.getJsonWebKeySet({ set: 'absent' }), 404],
    ['an unknown key', () => api.getJsonWebKey({ set: 'absent', kid: 'absent' }), 404],
    [
      'a key of another kid than the path has',
      () => api.setJsonWebKey({ set: 'x', kid: 'b', jsonWebKey: testKeys.keys[0] as never }),
      400,
    ],
  ])('answers to %s', async (_what, call, status) => {
    expect((await refusal(call())).status).toBe(status);
  });

  test('does not generate over a key that is there', async () => {
    const { data } = await create('once', 'ES256', 'a');
    expect((await refusal(create('once', 'ES256', 'a'))).status).toBe(409);
    expect((await api.getJsonWebKeySet({ set: 'once' })).data).toEqual(data);
  });

  test.each(signingSets)(
    'shows the public members of the keys of %s, and changes none that are managed by hand',
    async (set) => {
      const { data } = await api.getJsonWebKeySet({ set });
      expect(data.keys?.map(({ kid }) => kid)).toEqual(await kidsOf(instance));
      for (const key of data.keys ?? []) {
        expect(secretMembers(key)).toEqual([]);
        expect(unknownMembers('JsonWebKey', key)).toEqual([]);
      }
      const [key] = testKeys.keys as unknown as [JsonWebKey];
      for (const call of [
        create(set, 'ES256', 'new'),
        api.setJsonWebKey({ set, kid: key.kid, jsonWebKey: key }),
        api.setJsonWebKeySet({ set, jsonWebKeySet: { keys: [key] } }),
        api.deleteJsonWebKey({ set, kid: key.kid }),
        api.deleteJsonWebKeySet({ set }),
      ]) {
        expect((await refusal(call)).status).toBe(403);
      }
    },
  );
});

describe('with the signing keys in the store', () => {
  const adapter = openMemoryAdapter();
  let now = Date.now();
  const instance = beforeTests(() =>
    start({
      adapter,
      now: () => now,
      config: { keys: { source: 'store', algorithms: ['ES256', 'RS256'], idTokenAlg: 'ES256', pollSeconds: 1 } },
    }),
  );
  let api: JwkApi;
  beforeAll(async () => {
    api = createApi(instance);
  });

  const signingKid = async (): Promise<string> => {
    const client = await registerClient(instance, `c${Math.random()}`, {
      grant_types: ['client_credentials'],
      access_token_strategy: 'jwt',
    });
    const { body } = await credentialsFor(instance, client);
    const keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
    const { protectedHeader } = await jwtVerify(String(body.access_token), keys, { currentDate: new Date(now) });
    return String(protectedHeader.kid);
  };
  const [set = '', otherSet = ''] = signingSets;

  test('POST makes the next key to sign, and the one before it still verifies', async () => {
    const before = await signingKid();
    const createJsonWebKeySet = { alg: 'ES256', kid: 'by-hand', use: 'sig' };
    const { status, data } = await api.createJsonWebKeySet({ set, createJsonWebKeySet });
    expect([status, data.keys?.map(({ kid }) => kid)]).toEqual([201, ['by-hand']]);
    expect(secretMembers(data.keys?.[0] ?? {})).toEqual([]);
    expect(await signingKid()).toBe(before);
    expect(await kidsOf(instance)).toContain('by-hand');
    now += 200_000;
    await expect.poll(signingKid).toBe('by-hand');
    expect(await kidsOf(instance)).toContain(before);
    expect((await refusal(api.deleteJsonWebKey({ set, kid: 'by-hand' }))).status).toBe(409);
    expect((await api.deleteJsonWebKey({ set, kid: before })).status).toBe(204);
    expect(await kidsOf(instance)).not.toContain(before);
  });

  test('the published keys may be kept for as long as no new one signs, and nothing else may', async () => {
    const caching = async (path: string) => {
      const { headers } = await fetch(`${instance.issuer}/.well-known/${path}`);
      return [headers.get('cache-control'), headers.get('pragma')];
    };
    expect(await caching('jwks.json')).toEqual(['public, max-age=60', null]);
    expect((await caching('openid-configuration'))[0]).toBe('no-store');
  });

  test('PUT adopts a private key from elsewhere', async () => {
    const [rsa] = testKeys.keys.filter(({ alg }) => alg === 'RS256') as unknown as [JsonWebKey];
    const put = (jsonWebKey: JsonWebKey) => api.setJsonWebKey({ set: otherSet, kid: rsa.kid, jsonWebKey });
    expect(secretMembers((await put(rsa)).data)).toEqual([]);
    expect(await kidsOf(instance)).toContain(rsa.kid);
    expect((await refusal(put(rsa))).status).toBe(409);
    const { d: _, ...publicOnly } = rsa;
    expect((await refusal(put(publicOnly))).status).toBe(400);
  });

  test('an algorithm that nothing is signed with is refused', async () => {
    const createJsonWebKeySet = { alg: 'HS256', kid: '', use: 'sig' };
    expect((await refusal(api.createJsonWebKeySet({ set, createJsonWebKeySet }))).status).toBe(400);
  });

  test('every change is in the audit records, with the set and the key', async () => {
    await refusal(api.deleteJsonWebKeySet({ set: 'hydra.openid.id-token' }));
    await api.deleteJsonWebKey({ set: 'audited', kid: 'absent' });
    await api.createJsonWebKeySet({ set: 'audited', createJsonWebKeySet: { alg: 'ES256', kid: 'a', use: 'sig' } });
    expect(instance.log()).toContain('"action":"key.delete_all","outcome":"denied"');
    expect(instance.log()).toContain('"action":"key.delete","outcome":"success"');
    expect(instance.log()).toContain('"keySet":"audited","kid":"absent"');
    expect(instance.log()).toContain('"action":"key.create","outcome":"success"');
  });

  test('the store and the log contain no readable private key', async () => {
    const { records } = await adapter.list({ kind: 'key', limit: 500 });
    expect(records.length).toBeGreaterThan(2);
    const [rsa] = testKeys.keys.filter(({ alg }) => alg === 'RS256');
    expect(JSON.stringify(records)).not.toContain(rsa?.d);
    expect(instance.log()).not.toContain(rsa?.d);
    expect(JSON.stringify(records)).not.toContain('"d"');
  });
});
