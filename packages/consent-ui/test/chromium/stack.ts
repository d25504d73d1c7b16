import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { servePages } from '../../../../test/browser/serve-pages.ts';
import { findFreePort } from '../../../../test/servers/src/free-port.ts';
import { listen } from '../../../../test/servers/src/listen.ts';
import { type Carnet, createProvider } from '../../../provider/src/index.ts';
import { createPages, type Pages } from '../../src/pages.ts';

const adminToken = 'the-token-of-the-admin-api';

/** `accounts.providers` of the configuration. */
type Providers = NonNullable<NonNullable<Parameters<typeof createProvider>[0]['accounts']>['providers']>;

export const demoUser = { email: 'demo@example.com', password: 'carnet-demo' } as const;

const shop = {
  client_id: 'shop',
  client_secret: 'the-secret-of-the-shop',
  redirect_uris: ['http://127.0.0.1/callback'],
  scope: 'openid',
};

export interface RunningStack {
  readonly ui: string;
  readonly issuer: string;
  readonly carnet: Carnet;
  readonly authorizationUrl: string;
}

/**
 * Carnet with its pages, the demo user (not for a broker), and providers, which may depend on the URL of the pages. It ends with
 * the test.
 *
 * @returns the URL of the pages, and that of an authorization request of a client
 */
export const startStack = async (
  providersOf: (ui: string) => Promise<Providers>,
  isBroker = false,
  more: Partial<NonNullable<Parameters<typeof createProvider>[0]['accounts']>> = {},
): Promise<RunningStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-upstream-'));
  let pages: Pages = async () => new Response(null, { status: 503 });
  const served = await servePages((request) => pages(request));
  const ui = `http://localhost:${served.port}`;
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const carnet = await createProvider({
    issuer,
    urls: { login: `${ui}/login`, consent: `${ui}/consent`, logout: `${ui}/logout`, error: `${ui}/error` },
    admin: { token: adminToken },
    accounts: {
      ...(!isBroker && {
        database: `sqlite:${join(folder, 'accounts.db')}`,
        migrate: true,
        demoUser: true,
        directories: [{ name: 'users', kind: 'sql' as const }],
      }),
      providers: await providersOf(ui),
      ...more,
    },
    dev: true,
  });
  const [provider, admin] = [await listen(carnet.callback(), port), await listen(carnet.adminCallback())];
  pages = createPages({ issuer, adminUrl: admin.origin, adminToken, url: ui });
  onTestFinished(async () => {
    await Promise.all([served.close(), provider.close(), admin.close()]);
    await carnet.close();
    rmSync(folder, { recursive: true });
  });
  await carnet.clients.create(shop);
  const request = { client_id: shop.client_id, redirect_uri: shop.redirect_uris[0] ?? '', response_type: 'code' };
  const query = new URLSearchParams({ ...request, scope: 'openid', state: 'a state of the client' });
  return { ui, issuer, carnet, authorizationUrl: `${issuer}/oauth2/auth?${query}` };
};
