import { expect, onTestFinished, test, vi } from 'vitest';
import { createBrowser, signIn } from '../browser.ts';
import { startConsole } from '../start-console.ts';

const issuer = 'http://localhost:4444';
const eve = { subject: 'eve', name: 'Eve', role: 'operator' } as const;

const linkIn = (text: string): URL =>
  new URL(/href="([^"]*\/oauth2\/auth[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '');
const fieldsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

const start = async (...given: Parameters<typeof startConsole>) => {
  const console = await startConsole(...given);
  const { carnet } = console;
  await carnet.clients.create({
    ...{ client_id: 'shop', client_name: 'Shop', redirect_uris: ['https://shop.test/cb'] },
    ...{ scope: 'openid email offline_access', grant_types: ['authorization_code', 'refresh_token'] },
    ...{ response_types: ['code'], access_token_strategy: 'jwt', backchannel_logout_uri: 'https://shop.test/out' },
    authorization_code_grant_access_token_lifespan: '7m',
  });
  const shop = await carnet.clients.get('shop');
  const ids = async () => (await carnet.clients.list()).items.map(({ client_id }) => client_id);
  const begin = async (fields: Record<string, string> = { scope: 'openid email offline_access' }) =>
    linkIn(await (await console.post('/clients/shop/try', fields)).text());
  /** Signs in at the issuer. Returns the query of the redirect to the console. */
  const authorize = async (url: URL): Promise<string> => {
    let found = '';
    const browser = createBrowser({
      [issuer]: carnet.fetch,
      'http://console.test': async ({ url: at }) => {
        found = new URL(at).search;
        return new Response();
      },
    });
    await signIn(browser, carnet, url, { subject: 'ada', claims: { email: 'ada@example.com' } });
    return found;
  };
  return { ...console, shop, ids, begin, authorize };
};

test('a trial shows each step and the decoded tokens, and leaves nothing behind', async () => {
  const { carnet, get, post, shop, ids, begin, authorize, records } = await start();
  const url = await begin();
  expect(url.searchParams.get('redirect_uri')).toBe('http://console.test/console/try/callback');
  const search = await authorize(url);
  const code = new URLSearchParams(search).get('code') ?? '';
  const callback = await (await get(`/try/callback${search}`)).text();
  expect(callback).toContain('Try a login as Shop');
  expect(callback.replace(/<input type="hidden"[^>]*>/g, '')).not.toContain(code);
  const fields = fieldsIn(callback);
  const response = await post('/try/finish', fields);
  const text = (await response.text()).replaceAll('&quot;', '"');
  expect(response.status).toBe(200);
  expect(text).toContain('/oauth2/token');
  expect(text).toContain('"sub": "ada"');
  expect(text).toContain('"email": "ada@example.com"');
  expect(text).toContain('"typ": "at+jwt"');
  expect(text).toContain('POST http://localhost:4444/oauth2/token');
  expect(text).toContain('GET http://localhost:4444/userinfo');
  // No whole token, code or verifier: three parts of base64url, or a token of Carnet.
  expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+|carnet_[ar]t_/);
  expect(text).not.toContain(code);
  expect(await ids()).toEqual(['shop']);
  expect(await carnet.clients.get('shop')).toEqual(shop);
  expect(JSON.stringify(records)).not.toContain(code);
  expect(records).toMatchObject([
    { audit: { action: 'console.client.tryLogin', operator: 'ada', clientId: 'shop' } },
    { audit: { action: 'console.client.endTrial', operator: 'ada', clientId: 'shop' } },
  ]);
  expect((await post('/try/finish', fields)).status).toBe(404);
  await carnet.close();
});

test('the copy has the scopes and lifespans of the client, and no URL or secret of the app', async () => {
  const { carnet, begin, ids } = await start();
  await begin();
  const id = (await ids()).find((each) => each !== 'shop') ?? '';
  const copy = await carnet.clients.get(id);
  expect(copy).toMatchObject({
    redirect_uris: ['http://console.test/console/try/callback'],
    scope: 'openid email offline_access',
    token_endpoint_auth_method: 'none',
    access_token_strategy: 'jwt',
    authorization_code_grant_access_token_lifespan: '7m0s',
  });
  expect(copy.backchannel_logout_uri).toBeUndefined();
  await carnet.close();
});

test('a response is shown to the operator who began alone, and a forged state to none', async () => {
  const { carnet, get, begin, authorize, ids } = await start();
  const search = await authorize(await begin());
  const other = await startConsole({}, eve, { carnet });
  expect((await other.get(`/try/callback${search}`)).status).toBe(404);
  expect((await other.post('/try/finish', Object.fromEntries(new URLSearchParams(search)))).status).toBe(404);
  const forged = new URLSearchParams(search);
  forged.set('state', `${forged.get('state')?.split('.')[0]}.guessed`);
  expect((await get(`/try/callback?${forged}`)).status).toBe(404);
  expect((await get('/try/callback?state=shop.x&code=1')).status).toBe(404);
  expect((await get(`/try/callback?state=${encodeURIComponent('<script>')}`)).status).toBe(404);
  expect(await ids()).toHaveLength(2);
  expect((await get(`/try/callback${search}`)).status).toBe(200);
  await carnet.close();
});

test('a refused login shows the error of the server, and the copy is deleted', async () => {
  const { carnet, get, post, begin, ids } = await start();
  const url = await begin({ scope: 'openid', prompt: 'none' });
  const refused = await carnet.fetch(new Request(url, { redirect: 'manual' }));
  const { search } = new URL(refused.headers.get('location') ?? '');
  const callback = await (await get(`/try/callback${search}`)).text();
  expect(callback).toContain('login_required');
  const text = await (await post('/try/finish', fieldsIn(callback))).text();
  expect(text).toContain('login_required');
  expect(await ids()).toEqual(['shop']);
  await carnet.close();
});

test('the copy of a trial that is not finished is deleted after ten minutes', async () => {
  const { ids, begin } = await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await begin();
  expect(await ids()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(600_000);
  await vi.waitFor(async () => expect(await ids()).toEqual(['shop']));
});

test('a viewer can not try a login', async () => {
  const { carnet, get, post, ids } = await start({}, { subject: 'vic', name: 'Vic', role: 'viewer' });
  expect((await get('/clients/shop/try')).status).toBe(403);
  expect((await post('/clients/shop/try', { scope: 'openid' })).status).toBe(403);
  expect((await get('/try/callback?state=x')).status).toBe(403);
  expect(await ids()).toEqual(['shop']);
  await carnet.close();
});
