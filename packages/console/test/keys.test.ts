import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SigningKeys } from '../src/server/console-server.ts';
import { startConsole } from './start-console.ts';

const signingSet = 'hydra.openid.id-token';
const inStore: Parameters<typeof startConsole>[0] = {
  keys: { source: 'store', algorithms: ['ES256'], idTokenAlg: 'ES256' },
};
const viewer = { subject: 'vic', name: 'Vic', role: 'viewer' } as const;

const versionIn = (text: string): string => /name="version" value="([^"]*)"/.exec(text)?.[1] ?? '';
const privateJwk = (kid: string) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
};

test('the page shows which key signs, and rotates once for a form that is sent twice', async () => {
  const { carnet, get, post, records } = await startConsole(inStore);
  const [first] = await carnet.keys.list(signingSet);
  const page = await (await get('/keys')).text();
  expect(page).toMatch(new RegExp(`${first?.kid}</code></th><td>ES256</td><td>signs`));
  const fields = { alg: 'ES256', version: versionIn(page) };
  expect((await post('/keys/rotate', fields)).status).toBe(303);
  expect((await post('/keys/rotate', fields)).status).toBe(412);
  const keys = await carnet.keys.list(signingSet);
  expect(keys).toHaveLength(2);
  const added = keys.find(({ kid }) => kid !== first?.kid);
  const audit = {
    action: 'console.key.rotate',
    outcome: 'success',
    operator: 'ada',
    keySet: signingSet,
    kid: added?.kid,
  };
  expect(records).toEqual([{ audit }]);
  const remove = (kid = '') => post('/keys/remove', { set: signingSet, kid });
  expect((await remove(first?.kid)).status).toBe(409);
  expect((await remove(added?.kid)).status).toBe(303);
  expect(await carnet.keys.list(signingSet)).toEqual([first]);
  await carnet.close();
});

test('the overview shows the age of each signing key, as the page of the keys does', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const key = { kid: 'k1', alg: 'ES256', state: 'active', createdAt: ago(42), activeAt: ago(40) } as const;
  const { carnet, get } = await startConsole({}, undefined, {
    signingKeys: async () => ({ source: 'store', keys: [key] }),
  });
  expect(await (await get('/')).text()).toMatch(/k1<\/a><\/th><td>ES256<\/td><td>signs[^<]*<\/td><td>42 days/);
  await carnet.close();
});

test('keys of a file are shown, and the page says where they are changed', async () => {
  const day = 86_400_000;
  const keys: SigningKeys = { source: 'file', keys: [{ kid: 'k1', alg: 'ES256', state: 'active' }] };
  const { carnet, get, post } = await startConsole({}, undefined, { signingKeys: async () => keys });
  const text = await (await get('/keys')).text();
  expect(text).toContain('carnet keys generate');
  expect(text).not.toContain('/keys/rotate');
  expect((await post('/keys/rotate', { alg: 'ES256', version: 'k1' })).status).toBe(403);
  const ago = (days: number) => new Date(Date.now() - days * day);
  const old = { kid: 'k2', alg: 'ES256', state: 'active', createdAt: ago(420), activeAt: ago(400) } as const;
  const schedule = { announced: 14 * 86_400, active: 90 * 86_400, retired: 14 * 86_400 };
  const text2 = async (found: SigningKeys) => {
    const other = await startConsole({}, undefined, { carnet, signingKeys: async () => found });
    return (await other.get('/keys')).text();
  };
  expect(await text2({ source: 'external', keys: [{ ...old, service: 'awskms', handle: 'alias/x' }] })).toMatch(
    /has signed for 400 days[\s\S]*awskms <code>alias\/x/,
  );
  expect(await text2({ source: 'store', schedule, keys: [old] })).toContain('should have a successor by now');
  expect(await text2({ source: 'store', schedule, keys: [{ ...old, until: new Date() }] })).toContain('has signed for');
  expect(await text2({ source: 'store', schedule, keys: [{ ...old, activeAt: ago(30) }] })).not.toContain(
    'role="status"',
  );
  await carnet.close();
});

test('keys of another set are generated, imported and removed, and no private part is shown', async () => {
  const { carnet, get, post, records } = await startConsole(inStore);
  expect(await (await get('/keys?set=mine')).text()).toContain('This set has no keys');
  expect((await post('/keys/generate', { set: 'mine', alg: 'ES256', use: 'sig', kid: 'a' })).status).toBe(303);
  const jwk = privateJwk('b');
  expect((await post('/keys/import', { set: 'mine', jwk: JSON.stringify(jwk) })).status).toBe(303);
  expect((await post('/keys/import', { set: 'mine', jwk: '{' })).status).toBe(400);
  const text = await (await get('/keys?set=mine')).text();
  for (const kid of ['a', 'b']) expect(text).toContain(`<code>${kid}</code>`);
  for (const key of await carnet.keys.list('mine')) expect(text).not.toContain(key.d ?? 'missing');
  expect(JSON.stringify(records)).not.toContain(jwk.d);
  expect((await post('/keys/remove', { set: 'mine', kid: 'a' })).status).toBe(303);
  expect((await carnet.keys.list('mine')).map(({ kid }) => kid)).toEqual(['b']);
  await carnet.close();
});

test('a viewer reads keys, and changes none', async () => {
  const { carnet, get, post, records } = await startConsole(inStore, viewer);
  await carnet.keys.generate('mine', { alg: 'HS256', kid: 'a' });
  const before = await carnet.keys.list(signingSet);
  for (const path of ['/keys', '/keys?set=mine']) {
    const text = await (await get(path)).text();
    expect(text).not.toMatch(/action="[^"]*\/keys\//);
  }
  const fields = {
    set: 'mine',
    kid: 'a',
    alg: 'ES256',
    version: before[0]?.kid ?? '',
    jwk: JSON.stringify(privateJwk('x')),
  };
  for (const path of ['rotate', 'generate', 'import', 'remove']) {
    expect((await post(`/keys/${path}`, fields)).status).toBe(403);
  }
  expect(await carnet.keys.list(signingSet)).toEqual(before);
  expect(await carnet.keys.list('mine')).toHaveLength(1);
  expect(records).toEqual([]);
  await carnet.close();
});

test('hostile names of sets and keys are text, and are answered', async () => {
  const { carnet, get, post } = await startConsole(inStore);
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=1>',
    '\u0000',
    '../x',
    'x'.repeat(10_000),
    '\u202Ex',
  ];
  for (const name of hostile) {
    const response = await get(`/keys?set=${encodeURIComponent(name)}`);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/<script|<img/);
    const added = await post('/keys/generate', { set: name, alg: name, use: name, kid: name });
    expect(added.status).toBeLessThan(500);
  }
  await carnet.keys.generate('x', { alg: 'ES256', kid: '<script>alert(1)</script>' });
  expect(await (await get('/keys?set=x')).text()).not.toContain('<script');
  await carnet.close();
});
