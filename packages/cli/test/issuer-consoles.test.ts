import { join } from 'node:path';
import { createLogger } from '@carnet/provider/server';
import { findFreePort } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { expect, onTestFinished, test } from 'vitest';
import { createBrowser } from '../../console/test/browser.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { openServer } from '../src/serve/server.ts';
import { onSockets, pages, signInAt } from './sign-in-at-console.ts';

/** A server with the issuer `acme` at a path, and `shop`, whose console has a host of its own. */
const open = async (storage = 'memory:') => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const [issuer, admin] = [`http://localhost:${port}`, `http://localhost:${adminPort}`];
  const shopConsole = `http://127.0.0.1:${adminPort}/console`;
  const loaded = loadConfig({
    env: {
      ...{ ISSUER: issuer, PORT: String(port), ADMIN_PORT: String(adminPort), ADMIN_HOST: '127.0.0.1' },
      ...{
        URLS_LOGIN: `${pages}/login`,
        URLS_CONSENT: `${pages}/consent`,
        DATABASE_URL: storage,
        LOG_LEVEL: 'silent',
      },
      ...{ SECRETS_SYSTEM: 'a secret of at least thirty-two characters', KEYS_SOURCE: 'store' },
      ...{ CONSOLE_ENABLED: 'true', CONSOLE_ACCESS_OPERATOR: 'platform', CONSOLE_URL: `${admin}/console` },
      ISSUERS: JSON.stringify({
        acme: { issuer: `${issuer}/acme` },
        shop: { issuer: `${issuer}/shop`, console: { url: shopConsole } },
        none: { issuer: `${issuer}/none`, console: { enabled: false } },
      }),
    },
    dev: true,
  });
  const { config, issuers } = loaded;
  const server = await openServer({ config, issuers: [...issuers] }, createLogger(config.log));
  onTestFinished(() => server.close());
  return { issuer, admin, adminPort };
};

test('each issuer has a console, which the operators of the others cannot use', async () => {
  const { issuer, admin } = await open();
  const browser = createBrowser({ [issuer]: onSockets, [admin]: onSockets });
  const get = (path: string) => browser.send(new URL(`${admin}${path}`));
  const acmeApi = `${admin}/issuers/acme`;
  const ofAcme = { api: acmeApi, subject: 'ada', groups: ['platform'] };
  const client = { client_id: 'only-acme', redirect_uris: ['https://acme.test/cb'] };
  await fetch(`${acmeApi}/admin/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client),
  });

  const signedIn = await signInAt(browser, `${admin}/issuers/acme/console/clients`, ofAcme);
  expect(signedIn).toMatchObject({ status: 200, url: `${admin}/issuers/acme/console/clients` });
  expect(signedIn.html).toContain('Signed in as ada (operator)');
  expect(signedIn.html).toContain('only-acme');

  // Neither the session nor its cookie under the name of the other console opens the console of the first issuer.
  const anonymous = await get('/console/clients');
  expect(anonymous.status).toBe(303);
  const jar = browser.jarOf(admin);
  const [name = '', value = ''] = [...jar].find(([each]) => /^carnet-console\./.test(each)) ?? [];
  expect(name).toBe('carnet-console.issuers.acme');
  jar.set('carnet-console', value);
  expect((await get('/console/clients')).status).toBe(303);
  jar.delete('carnet-console');

  const first = await signInAt(browser, `${admin}/console/clients`, { ...ofAcme, api: admin, subject: 'bob' });
  expect(first.html).toContain('Signed in as bob (operator)');
  expect(first.html).not.toContain('only-acme');
  expect(await (await get('/issuers/acme/console/clients')).text()).toContain('Signed in as ada (operator)');
  const viewerless = createBrowser({ [issuer]: onSockets, [admin]: onSockets });
  const refused = await signInAt(viewerless, `${admin}/issuers/acme/console`, { ...ofAcme, groups: ['acme-staff'] });
  expect(refused.status).toBe(403);
});

test('the console of an issuer shows the signing keys of this issuer alone', async () => {
  const { issuer, admin } = await open(`sqlite:${join(folderForTests(), 'consoles.db')}`);
  const kidsOf = async (url: string) => {
    const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };
  const [ofFirst, ofAcme] = [await kidsOf(issuer), await kidsOf(`${issuer}/acme`)];
  const browser = createBrowser({ [issuer]: onSockets, [admin]: onSockets });
  const operator = { api: `${admin}/issuers/acme`, subject: 'ada', groups: ['platform'] };
  const { html } = await signInAt(browser, `${admin}/issuers/acme/console/keys`, operator);
  for (const kid of ofAcme) expect(html).toContain(kid);
  for (const kid of ofFirst) expect(html).not.toContain(kid);
});

test('the console of an issuer shows nothing of the installation, and is absent where it is disabled', async () => {
  const { issuer, admin, adminPort } = await open();
  const browser = createBrowser({ [issuer]: onSockets, [admin]: onSockets });
  const ofAcme = { api: `${admin}/issuers/acme`, subject: 'ada', groups: ['platform'] };
  const overview = await signInAt(browser, `${admin}/issuers/acme/console`, ofAcme);
  expect(overview.status).toBe(200);
  const page = async (path: string) => (await browser.send(new URL(`${admin}/issuers/acme/console${path}`))).text();
  for (const path of ['', '/configuration', '/keys', '/events']) expect(await page(path)).not.toContain('shop');
  expect((await fetch(`${admin}/issuers/none/console`, { redirect: 'manual' })).status).toBe(404);
  // The console of `shop` is at its own URL only, which differs from that of the first issuer by its host.
  const at = (url: string) => fetch(url, { redirect: 'manual' });
  expect((await at(`${admin}/issuers/shop/console`)).status).toBe(404);
  const shop = `http://127.0.0.1:${adminPort}`;
  const own = createBrowser({ [shop]: onSockets });
  const { url } = await own.follow(new URL(`${shop}/console`), ({ origin }) => origin === issuer);
  expect(url.pathname).toBe('/shop/oauth2/auth');
  expect([...own.jarOf(shop).keys()]).toEqual(['carnet-console-sign-in']);

  // At another host the cookies have the same name. The session of the first issuer still opens nothing there.
  const first = await signInAt(browser, `${admin}/console`, { ...ofAcme, api: admin });
  expect(first.status).toBe(200);
  own.jarOf(shop).set('carnet-console', browser.jarOf(admin).get('carnet-console') ?? '');
  expect((await own.send(new URL(`${shop}/console/clients`))).status).toBe(303);
});
