import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { createClientKeys } from '../../../provider/test/client-keys.ts';
import type { FetchedKeys } from '../../src/server/console-server.ts';
import { issuer, startRefusals } from './start-refusals.ts';

let fetched: FetchedKeys;
const asked: string[] = [];
const refusals = startRefusals({
  fetchClientKeys: async (url) => {
    asked.push(url);
    return fetched;
  },
});
const { verdict } = refusals;

/** A token of the client `job`, which gets JWTs, or `opaque`. */
const tokenOf = async (client: 'job' | 'opaque'): Promise<string> => {
  const response = await refusals.console.carnet.fetch(
    new Request(`${issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client,
        client_secret: `a-secret-of-${client}`,
        scope: 'jobs',
      }),
    }),
  );
  return ((await response.json()) as { access_token: string }).access_token;
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The JWT with another header or claims, and its old signature. */
const changed = (jwt: string, { header = {}, claims = {} }: { header?: object; claims?: JWTPayload }): string =>
  [part({ ...decodeProtectedHeader(jwt), ...header }), part({ ...decodeJwt(jwt), ...claims }), jwt.split('.')[2]].join(
    '.',
  );

let access: string;
let opaque: string;
beforeAll(async () => {
  access = await tokenOf('job');
  opaque = await tokenOf('opaque');
});

it('access tokens that are active pass each check, and the page links their client', async () => {
  expect(await verdict(access)).toBe('accepted');
  expect(await verdict(` Bearer ${access}\n`)).toBe('accepted');
  expect(await verdict(opaque)).toBe('accepted');
  const { page } = await refusals.diagnose(opaque);
  expect(page).toContain('href="/console/clients/opaque"');
  expect(page).not.toContain(opaque);
});

it.each([
  ['with alg none', () => changed(access, { header: { alg: 'none' } }), 'algorithm'],
  ['with HMAC', () => changed(access, { header: { alg: 'HS256' } }), 'algorithm'],
  ['with an unknown key', () => changed(access, { header: { kid: 'unknown' } }), 'key'],
  ['that was changed', () => changed(access, { claims: { sub: 'root' } }), 'signature'],
  ['of a cut opaque form', () => opaque.slice(0, -1), 'format'],
  ['that is opaque and unknown', () => `carnet_at_${'a'.repeat(43)}`, 'active'],
  ['that is an unknown refresh token', () => `carnet_rt_${'a'.repeat(22)}.${'a'.repeat(43)}`, 'active'],
  ['that is a cut refresh token', () => 'carnet_rt_abc', 'format'],
  ['that is a cut code', () => 'carnet_ac_abc', 'format'],
  ['that is a whole code', () => 'carnet_ac_abc.def.ghi.jkl.mno', 'undecided'],
  ['of another server', () => 'ory_at_abc.def', 'kind'],
])('a token %s names the check', async (_title, tokenOfCase, check) => {
  expect(await verdict(tokenOfCase())).toBe(check);
});

it('a token that was revoked, or whose client was deleted, is not active', async () => {
  const { carnet } = refusals.console;
  await carnet.clients.create({ client_id: 'gone', grant_types: ['client_credentials'], scope: 'jobs' });
  const token = await tokenOf('opaque');
  await carnet.tokens.revoke(token);
  expect(await verdict(token)).toBe('active');
  const jwt = await tokenOf('job');
  await carnet.tokens.revokeAccessTokens('job');
  expect(await verdict(jwt)).toBe('active');
});

it.each<readonly [string, JWTPayload, string]>([
  ['of another issuer and its key', { iss: 'https://other.test' }, 'key'],
  ['of an unknown key', {}, 'key'],
])('an ID token %s names the check', async (_title, claims, check) => {
  const other = await createClientKeys();
  const now = Math.floor(Date.now() / 1_000);
  const token = await other.sign({ iss: issuer, sub: 'ada', aud: 'shop', iat: now, ...claims });
  expect(await verdict(token)).toBe(check);
});

const assertion = async (claims: JWTPayload, header = {}) =>
  (await refusals.keys.authenticate('keyed', issuer, claims, header)).client_assertion;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

it.each<readonly [string, () => Promise<string>, string]>([
  ['that is right', () => assertion({}), 'undecided'],
  ['of an unknown client', () => assertion({ iss: 'unknown', sub: 'unknown' }), 'client'],
  ['of a client with a secret', () => assertion({ iss: 'shop', sub: 'shop' }), 'method'],
  ['without an id', () => assertion({ jti: undefined }), 'assertionId'],
  ['for another audience', () => assertion({ aud: 'https://other.test' }), 'tokenAudience'],
  ['that has expired', () => assertion({ exp: nowSeconds() - 600 }), 'times'],
  ['of the future', () => assertion({ iat: nowSeconds() + 600 }), 'times'],
  ['with an unknown key', () => assertion({}, { kid: 'unknown' }), 'key'],
  ['that was changed', async () => changed(await assertion({}), { claims: { jti: 'another' } }), 'signature'],
  ['with another algorithm', async () => changed(await assertion({}), { header: { alg: 'RS256' } }), 'algorithm'],
])('a client assertion %s names the check', async (_title, assertionOf, check) => {
  expect(await verdict(await assertionOf())).toBe(check);
});

it('the keys at the jwks_uri of a client decide about its assertions, and are fetched only for one that is right otherwise', async () => {
  const sign = (claims: JWTPayload = {}) => refusals.keys.authenticate('remote', issuer, claims);
  const verdictOf = async (claims?: JWTPayload) => verdict((await sign(claims)).client_assertion);
  expect(await verdictOf({ aud: 'https://other.test' })).toBe('tokenAudience');
  expect(asked).toEqual([]);
  fetched = { type: 'document', content: refusals.keys.jwks };
  expect(await verdictOf()).toBe('undecided');
  expect(asked).toEqual(['https://shop.test/jwks']);
  fetched = { type: 'document', content: (await createClientKeys()).jwks };
  expect(await verdictOf()).toBe('signature');
  for (const content of ['no keys', { keys: [null] }]) {
    fetched = { type: 'document', content };
    expect(await verdictOf()).toBe('keySource');
  }
  fetched = { type: 'problem', reason: 'private_address' };
  const { failed, row } = await refusals.diagnose((await sign()).client_assertion);
  expect(failed).toBe('keySource');
  expect(row('keys of the client are known')).toContain('https://shop.test/jwks private_address');
});

it('a token whose members have other types, or half of a surrogate pair, is diagnosed as any other text', async () => {
  const headers = [{ alg: 5 }, { alg: 'ES256', kid: { toString: 1 } }, { alg: 'ES256', typ: 'at+jwt' }];
  const hostile = ['\ud800', 5, { toString: 1 }, [{ toString: 1 }], null];
  const claims = hostile.flatMap((value) => [
    { sub: value, aud: value },
    { client_id: value, scp: [] },
    { client_id: value, redirect_uri: 'x' },
    { iss: 'x', exp: value, iat: value },
    { iss: '\ud800', sub: '\ud800', jti: value },
  ]);
  const statuses = new Set<number>();
  for (const header of headers)
    for (const each of claims) {
      const { status } = await refusals.diagnose(`${part(header)}.${part(each)}.eA`);
      statuses.add(status);
    }
  expect([...statuses]).toEqual([200]);
});
