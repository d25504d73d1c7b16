import { createIssuers, type FoundIssuer, type Issuers } from '@carnet/issuers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowser } from '../../provider/test/browser.ts';
import { basicOf, redirectUri } from '../../provider/test/clients.ts';
import { authorizationUrl, challengeIn, redemptionOf } from '../../provider/test/login.ts';
import { base, client, openStores, quiet } from './open-installation.ts';

const stores = openStores();

const urlOf = (name: string): string => `https://${name}.example.com`;
const clients = [
  {
    client_id: client.id,
    client_secret: client.secret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid offline_access profile',
  },
];

/** A whole login at an issuer by Web Requests. Returns the claims of its ID token. */
const login = async (issuers: Issuers, name: string): Promise<Record<string, unknown>> => {
  const at = { issuer: urlOf(name) };
  const send: typeof fetch = (input, init) => issuers.fetch(new Request(input as string, init));
  const browser = createBrowser(new Map(), send);
  const challenge = challengeIn(await browser.get(authorizationUrl(at, client)), 'login');
  const toConsent = await issuers.use(name, ({ requests }) => requests.login.accept(challenge, { subject: 'alice' }));
  const consent = challengeIn(await browser.get(toConsent.redirectTo), 'consent');
  const toClient = await issuers.use(name, ({ requests }) =>
    requests.consent.accept(consent, { grantScopes: ['openid'] }),
  );
  const end = new URL((await browser.get(toClient.redirectTo)).headers.get('location') ?? '');
  const body = new URLSearchParams(redemptionOf(end.searchParams.get('code') ?? ''));
  const answer = await send(`${at.issuer}/oauth2/token`, { method: 'POST', body, headers: basicOf(client) });
  const { id_token: token = '' } = (await answer.json()) as { id_token?: string };
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Record<string, unknown>;
};

const open = async (config: object, options: object = {}) => {
  const input = { ...base, keys: { source: 'store', idTokenAlg: 'ES256', algorithms: ['ES256'] }, ...config } as const;
  const issuers = await createIssuers({ issuer: 'https://login.example.com', ...input } as never, {
    logger: quiet,
    ...options,
  });
  onTestFinished(() => issuers.close());
  return issuers;
};

describe.each(['sqlite', 'postgres'] as const)('fifty issuers on %s', (store) => {
  it('have a login each, with tokens of their own', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `tenant-${index}`);
    const issuers = await open({
      storage: { default: await stores[store]() },
      issuers: Object.fromEntries(names.map((name) => [name, { issuer: urlOf(name), clients }])),
    });
    for (const name of names) expect(await login(issuers, name)).toMatchObject({ iss: urlOf(name), sub: 'alice' });
  });
});

describe('issuers that a function finds', () => {
  /** A thousand tenants, of which a process may keep fifty open. */
  const openTenants = async (functions: { readonly onAsk?: () => void } = {}) => {
    const asked: string[] = [];
    const tenantAt = (name: string): FoundIssuer | undefined => {
      functions.onAsk?.();
      asked.push(name);
      return /^tenant-\d{1,3}$/.test(name) ? { name, issuer: urlOf(name), clients } : undefined;
    };
    const issuers = await open(
      { storage: { default: 'memory:' }, limits: { openIssuers: 50 } },
      { issuerAt: (host: string) => tenantAt(host.split('.', 1)[0] ?? ''), issuerNamed: tenantAt },
    );
    return { issuers, asked };
  };

  it('are a thousand hosts, of which each answers with its own documents, and unknown hosts get 421', async () => {
    const { issuers } = await openTenants();
    const get = (name: string) => issuers.fetch(new Request(`${urlOf(name)}/.well-known/openid-configuration`));
    const names = Array.from({ length: 1_000 }, (_, index) => `tenant-${index}`);
    for (let from = 0; from < names.length; from += 100) {
      const some = names.slice(from, from + 100);
      const documents = await Promise.all(some.map(async (name) => (await get(name)).json()));
      expect(documents.map(({ issuer }) => issuer)).toEqual(some.map(urlOf));
    }
    expect((await get('unknown')).status).toBe(421);
    expect(await login(issuers, 'tenant-7')).toMatchObject({ iss: urlOf('tenant-7') });
    expect(await login(issuers, 'tenant-993')).toMatchObject({ iss: urlOf('tenant-993') });
  });

  it('are asked for once for requests that come together, also if there is none', async () => {
    const { issuers, asked } = await openTenants();
    const get = (name: string) => issuers.fetch(new Request(`${urlOf(name)}/.well-known/openid-configuration`));
    for (const name of ['tenant-1', 'unknown']) {
      await Promise.all(Array.from({ length: 20 }, () => get(name)));
      await get(name);
    }
    expect(asked).toEqual(['tenant-1', 'unknown']);
  });

  it('that can not be found for now are answered with 503, and the others as before', async () => {
    let isDown = true;
    const { issuers } = await openTenants({
      onAsk: () => {
        if (isDown) throw new Error('the database of tenants does not answer');
      },
    });
    const get = (name: string) => issuers.fetch(new Request(`${urlOf(name)}/.well-known/openid-configuration`));
    expect((await get('tenant-1')).status).toBe(503);
    isDown = false;
    expect((await get('tenant-2')).status).toBe(200);
    // The failure is remembered for a moment.
    expect((await get('tenant-1')).status).toBe(503);
    await expect(issuers.of('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can not have the URL of a configured issuer, and share no challenge with another of the same URL', async () => {
    const tenants: Readonly<Record<string, FoundIssuer>> = {
      thief: { name: 'thief', issuer: 'https://login.example.com' },
      thief2: { name: 'thief2', issuer: urlOf('acme') },
      one: { name: 'one', issuer: urlOf('twice'), clients },
      two: { name: 'two', issuer: urlOf('twice'), clients },
    };
    const issuers = await open(
      { storage: { default: 'memory:' }, issuers: { acme: { issuer: urlOf('acme') } } },
      { issuerNamed: (name: string) => tenants[name], issuerAt: () => tenants.one },
    );
    for (const name of ['thief', 'thief2']) await expect(issuers.of(name)).rejects.toMatchObject({ code: 'too_busy' });
    const send: typeof fetch = (input, init) => issuers.fetch(new Request(input as string, init));
    const browser = createBrowser(new Map(), send);
    const challenge = challengeIn(await browser.get(authorizationUrl({ issuer: urlOf('twice') }, client)), 'login');
    const accept = (name: string) =>
      issuers.use(name, ({ requests }) => requests.login.accept(challenge, { subject: 'alice' }));
    await expect(accept('two')).rejects.toMatchObject({ code: 'not_found' });
    expect(await accept('one')).toMatchObject({ redirectTo: expect.any(String) });
  });
});
