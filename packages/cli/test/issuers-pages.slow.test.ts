import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPages } from '@carnet/consent-ui';
import { findFreePort, signInAtPages } from '@carnet/test-servers';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { servePages } from '../../../test/browser/serve-pages.ts';
import { createBrowser } from '../../provider/test/browser.ts';
import { sendJson } from '../../provider/test/call.ts';
import { redirectUri } from '../../provider/test/clients.ts';
import { authorizationUrl, begin } from '../../provider/test/login.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = { id: 'app', secret: 'the secret of the app, long enough' };

beforeAll(() => {
  // Builds the pages if a source has changed.
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: root });
}, 300_000);

/** Dev mode adds none to an issuer with a login page of its own. */
const accounts =
  'accounts: { database: "sqlite:accounts.db", migrate: true, directories: [{ name: users, kind: sql }], demoUser: true }';

const urlsAt = (pages: string): string =>
  `{ login: "${pages}/login", consent: "${pages}/consent", logout: "${pages}/logout", error: "${pages}/error" }`;

interface IssuerOfPages {
  readonly name: string;
  readonly issuer: string;
  /** The URL of the admin API of the issuer. */
  readonly admin: string;
  /** The URL of its pages. */
  readonly pages: string;
  readonly token: string;
}

const cookieSecret = 'one-secret-in-a-file-that-both-units-read';

/** One `carnet serve` with two issuers whose pages have these URLs. */
const serve = async (pages: Readonly<Record<'acme' | 'shop', string>>): Promise<readonly IssuerOfPages[]> => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const at = (name: keyof typeof pages, issuer: string): IssuerOfPages => ({
    ...{ name, issuer, pages: pages[name] },
    admin: `http://127.0.0.1:${adminPort}/issuers/${name}`,
    token: `a-token-of-the-pages-of-${name}`,
  });
  const issuers = [at('acme', `http://localhost:${port}`), at('shop', `http://127.0.0.1:${port}/shop`)];
  const sections = issuers.flatMap(({ name, issuer, pages: url, token }) => [
    `  ${name}:`,
    `    issuer: ${issuer}`,
    `    urls: ${urlsAt(url)}`,
    `    admin: { tokens: [{ name: ${name}-pages, rights: [all], value: ${token} }] }`,
  ]);
  const folder = temporaryFolder();
  const file = join(folder, 'carnet.yaml');
  const lines = [`issuer: http://127.0.0.1:${port}`, 'limits: { requestsPerSecond: 200 }', accounts, 'issuers:'];
  writeFileSync(file, [...lines, ...sections].join('\n'));
  const env = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const server = startProgram(main, ['serve', '--dev', '--config', file], env, folder);
  await server.line('"msg":"ready"');
  return issuers;
};

/** One `carnet ui` for each issuer, as docs/guides/several-issuers.md shows. */
const startProcesses = async (): Promise<readonly IssuerOfPages[]> => {
  const [acmePort, shopPort] = [await findFreePort(), await findFreePort()];
  const issuers = await serve({ acme: `http://localhost:${acmePort}`, shop: `http://localhost:${shopPort}` });
  for (const { name, issuer, admin, pages, token } of issuers) {
    const program = startProgram(main, ['ui'], {
      CARNET_ISSUER: issuer,
      CARNET_ADMIN_URL: admin,
      CARNET_ADMIN_TOKEN: token,
      UI_COOKIE_SECRET: cookieSecret,
      UI_NAME: `Pages of ${name}`,
      PORT: new URL(pages).port,
    });
    await program.line('The pages are ready at');
  }
  return issuers;
};

/** The pages of both issuers in this process, selected by the host, as the guide shows. */
const startInOneProcess = async (): Promise<readonly IssuerOfPages[]> => {
  const pagesAt = new Map<string, ReturnType<typeof createPages>>();
  const { port, close } = await servePages(
    async (request) => pagesAt.get(new URL(request.url).host)?.(request) ?? new Response(null, { status: 421 }),
  );
  onTestFinished(close);
  const issuers = await serve({ acme: `http://localhost:${port}`, shop: `http://127.0.0.1:${port}` });
  for (const { name, issuer, admin, pages, token } of issuers) {
    const settings = { issuer, adminUrl: admin, adminToken: token, url: pages, cookieSecrets: [cookieSecret] as const };
    pagesAt.set(new URL(pages).host, createPages({ ...settings, name: `Pages of ${name}` }));
  }
  return issuers;
};

it.each([
  ['`carnet ui` processes, one for each issuer,', startProcesses],
  ['the pages of all issuers in one process, selected by the host,', startInOneProcess],
])(
  '%s sign users in at their issuers, and decide no challenge of another issuer',
  async (_, start) => {
    const issuers = await start();
    for (const { name, admin, pages, token } of issuers) {
      const { url, html } = await signInAtPages(`${pages}/account`, 'demo@example.com', 'carnet-demo');
      expect(url).toBe(`${pages}/account`);
      expect(html).toContain(`Pages of ${name}`);
      const registered = {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] },
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile offline_access',
      };
      expect(await sendJson('POST', `${admin}/admin/clients`, registered, token)).toMatchObject({ status: 201 });
    }
    const [acme, shop] = issuers as [IssuerOfPages, IssuerOfPages];
    const challenge = await begin(createBrowser(), authorizationUrl(acme, client));
    const statusAt = async ({ pages }: IssuerOfPages) =>
      (await fetch(`${pages}/login?login_challenge=${challenge}`, { redirect: 'manual' })).status;
    expect([await statusAt(acme), await statusAt(shop)]).toEqual([200, 404]);
    expect((await sendJson('GET', `${shop.admin}/admin/clients`, undefined, acme.token)).status).toBe(401);
  },
  120_000,
);
