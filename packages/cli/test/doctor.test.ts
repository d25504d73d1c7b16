import { mkdtempSync, rmSync } from 'node:fs';
import { type RequestListener, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { expect, it } from 'vitest';
import { main, spawnCarnet, startProgram } from './start-program.ts';

interface Fault {
  /** The Host header that is sent on. */
  readonly host?: string;
  readonly maxUrlLength?: number;
  readonly maxCookieLength?: number;
  /** Sends /admin to the admin listener. */
  readonly isAdminPublic?: boolean;
  readonly withoutHeader?: string;
  readonly secondsLate?: number;
}

/** What the proxy does wrong in this test. */
let fault: Fault = {};
const target = { public: 0, admin: 0 };

/** What stands in front of the provider, and does what proxies do when they are set up wrongly. */
const proxyRequest: RequestListener = (incoming, outgoing) => {
  const { url = '/', method, headers } = incoming;
  if (url.length > (fault.maxUrlLength ?? 16_000)) return void outgoing.writeHead(414).end();
  if ((headers.cookie?.length ?? 0) > (fault.maxCookieLength ?? 16_000)) return void outgoing.writeHead(400).end();
  const isAdmin = fault.isAdminPublic === true && url.startsWith('/admin');
  const port = isAdmin ? target.admin : target.public;
  const own = isAdmin ? { host: `127.0.0.1:${port}` } : {};
  const forwarded = { ...headers, ...(fault.host && { host: fault.host }), ...own };
  incoming.pipe(
    request({ host: '127.0.0.1', port, path: url, method, headers: forwarded }, (answer) => {
      const answered = { ...answer.headers };
      if (fault.withoutHeader) delete answered[fault.withoutHeader];
      if (fault.secondsLate) answered.date = new Date(Date.now() - fault.secondsLate * 1000).toUTCString();
      outgoing.writeHead(answer.statusCode ?? 500, answered);
      answer.pipe(outgoing);
    }),
  );
};

const proxy = beforeTests(() => listen(proxyRequest));
const login = beforeTests(() => listen((_request, response) => response.end('Sign in')));

const settingsOf = () => ({
  ISSUER: proxy.origin,
  URLS_LOGIN: `${login.origin}/login`,
  URLS_CONSENT: `${login.origin}/consent`,
  URLS_LOGOUT: `${login.origin}/logout`,
  URLS_ERROR: `${login.origin}/error`,
  URLS_DEVICE_VERIFICATION: `${login.origin}/device`,
  URLS_DEVICE_SUCCESS: `${login.origin}/device/success`,
});

/** The provider behind the proxy, for all tests. */
const provider = beforeTests(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-doctor-'));
  const program = spawnCarnet(['serve', '--dev'], { ...settingsOf(), PORT: '0', ADMIN_PORT: '0' }, folder);
  const { publicUrl, adminUrl } = JSON.parse(await program.line('"msg":"ready"'));
  target.public = Number(new URL(publicUrl).port);
  target.admin = Number(new URL(adminUrl).port);
  const stop = async () => {
    program.child.kill('SIGKILL');
    await program.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, adminUrl, stop };
});

/** What `carnet doctor` says of the provider behind a proxy with this fault. */
const examine = async (withFault: Fault, env: Record<string, string> = {}, clients: readonly object[] = []) => {
  fault = withFault;
  for (const client of clients) {
    const response = await fetch(`${provider.adminUrl}/admin/clients`, {
      method: 'POST',
      body: JSON.stringify(client),
    });
    expect(response.status).toBe(201);
  }
  const { lines, exited } = startProgram(main, ['doctor', '--dev'], { ...settingsOf(), ...env }, provider.folder);
  const [exitCode] = await exited;
  return { exitCode, said: lines.join('\n') };
};

it('finds nothing wrong where all is well, and changes nothing', async () => {
  const { exitCode, said } = await examine({});
  expect(said).toContain('answers with its own issuer');
  expect(said).toMatch(/ok {4}store +answers in/);
  expect(said).toMatch(/ok {4}keys +3, as published/);
  expect(said).toMatch(/ok {4}clock/);
  expect(said).not.toMatch(/^fail/m);
  expect([exitCode, said.split('\n').at(-1)]).toEqual([0, 'No problems were found.']);
});

it.each([
  [
    'another Host header',
    { host: 'internal.example' },
    /fail {2}issuer .*Host header that differs[\s\S]*proxy_set_header Host/,
  ],
  ['short URLs only', { maxUrlLength: 2_048 }, /fail {2}proxy .*URL of 6,000[\s\S]*large_client_header_buffers/],
  ['small cookies only', { maxCookieLength: 4_096 }, /fail {2}proxy .*cookies of 6,000/],
  ['an admin API that is public', { isAdminPublic: true }, /fail {2}proxy .*admin API answers under the issuer/],
  ['a clock that is late', { secondsLate: 90 }, /fail {2}clock .*is (?:89|90|91) s off/],
])(
  'finds %s',
  async (_name, fault, expected) => {
    const { exitCode, said } = await examine(fault);
    expect(said).toMatch(expected);
    expect(exitCode).toBe(1);
  },
  30_000,
);

it('finds a header that the proxy removes, and an issuer and pages that do not answer', async () => {
  expect((await examine({ withoutHeader: 'referrer-policy' })).said).toMatch(/warn {2}proxy .*referrer-policy/);
  const { origin: url, close } = await listen(() => {});
  await close();
  const away = await examine({}, { URLS_LOGIN: `${url}/login`, ISSUER: url });
  expect(away.said).toMatch(/fail {2}pages .*urls.login: .*the connection is refused/);
  expect(away.said).toMatch(/fail {2}issuer .*the connection is refused/);
});

it('lists clients whose registration has parts without effect', async () => {
  const configured = [
    { client_id: 'old', client_secret: 'a secret of the tests' },
    { client_id: 'idle', client_secret: 'a secret of the tests', grant_types: ['password'] },
  ];
  const { exitCode, said } = await examine({}, { CLIENTS: JSON.stringify(configured) }, [
    { client_id: 'fine', redirect_uris: ['https://app.example/*'] },
    { client_id: 'wild', redirect_uris: ['https://app.example/', 'https://*.app.example/'] },
    { client_id: 'old', grant_types: ['authorization_code', 'password'] },
  ]);
  expect(said).toMatch(/ok {4}clients +3 read from the store, 2 in the configuration, 4 warnings/);
  expect(said).toMatch(/warn {2}clients +"wild": redirect_uris\.1 has a "\*" in its host/);
  expect(said).toMatch(/warn {2}clients +"old": grant_types\.1 is not a grant type of this server/);
  expect(said).toMatch(/warn {2}clients +"old" is in the store and in the configuration/);
  expect(said).toMatch(/warn {2}clients +"idle": grant_types\.0 .*\n +-> Change clients\.1 of the configuration/);
  expect(said).not.toContain('"fine"');
  expect(exitCode).toBe(0);
});

it('says all that is wrong with a configuration', async () => {
  const { lines, exited } = startProgram(main, ['doctor'], { PORT: 'x' });
  expect(await exited).toEqual([1, null]);
  expect(lines.join('\n')).toMatch(/fail {2}configuration {2}PORT[\s\S]*fail {2}configuration {2}.*issuer/);
});
