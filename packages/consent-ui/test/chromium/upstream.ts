import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { servePages } from '../../../../test/browser/serve-pages.ts';
import { findFreePort } from '../../../../test/servers/src/free-port.ts';
import {
  openTestOpenIdProvider,
  type TestOpenIdProvider,
} from '../../../../test/servers/src/identity-providers/openid-provider.ts';
import { listen } from '../../../../test/servers/src/listen.ts';
import { type Carnet, createProvider } from '../../../provider/src/index.ts';
import { createPages, type Pages } from '../../src/pages.ts';

/** Carnet with the pages, and oidc-provider as the provider `corp` of its users. */
export interface UpstreamStack {
  readonly ui: string;
  readonly carnet: Carnet;
  readonly issuer: string;
  readonly upstream: TestOpenIdProvider;
}

const adminToken = 'the-token-of-the-admin-api';
const clientSecret = 'the-secret-of-carnet-at-the-provider';

/** The demo user `demo@example.com` has the password `carnet-demo`. A broker has no users of its own. */
export const startUpstreamStack = async (members: object = {}, isBroker = false): Promise<UpstreamStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-upstream-'));
  let pages: Pages = async () => new Response(null, { status: 503 });
  const served = await servePages((request) => pages(request));
  const ui = `http://localhost:${served.port}`;
  const redirectUri = `${ui}/login/provider/corp`;
  const upstream = await openTestOpenIdProvider({ clientId: 'carnet', clientSecret, redirectUri });
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
      providers: [
        {
          name: 'corp',
          label: 'Corp',
          kind: 'oidc',
          issuer: upstream.issuer,
          clientId: 'carnet',
          clientSecret,
          ...members,
        },
      ],
    },
    dev: true,
  });
  const [provider, admin] = [await listen(carnet.callback(), port), await listen(carnet.adminCallback())];
  pages = createPages({ issuer, adminUrl: admin.origin, adminToken, url: ui });
  onTestFinished(async () => {
    await Promise.all([served.close(), provider.close(), admin.close(), upstream.close()]);
    await carnet.close();
    rmSync(folder, { recursive: true });
  });
  return { ui, carnet, issuer, upstream };
};
