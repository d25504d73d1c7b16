import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProvider } from '@carnet/provider';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRoutes } from '../../packages/console/src/all-routes.ts';
import { openHistory } from '../../packages/console/src/charts/history.ts';
import { createNodeHandler } from '../../packages/console/src/node-handler.ts';
import { openConsole } from '../../packages/console/src/open-console.ts';
import { createInProcessServer } from '../../packages/console/src/server/in-process.ts';
import { axeViolations } from './accessibility/axe.ts';
import { keyboard, reflow } from './accessibility/checks.ts';
import { launchChromium } from './chromium.ts';

const script = '<script>document.title="run"</script>"><img src=x onerror=alert(1)>';

/** Paths with an answer that is no page: streams, scripts, and the way back from a sign-in. */
const noPages = new Set(['/overview/live', '/events/stream', '/events/live.js', '/try/callback']);

const folder = mkdtempSync(join(tmpdir(), 'carnet-console-'));

const startProvider = async () => {
  const carnet = await createProvider({
    dev: true,
    issuer: 'http://localhost:4444',
    storage: { default: 'memory:' },
    secrets: { system: ['a secret of at least thirty-two characters'] },
    urls: { login: 'http://localhost:3000/login', consent: 'http://localhost:3000/consent' },
    log: { level: 'silent' },
    events: { webhooks: [{ name: 'crm', url: 'http://127.0.0.1:9/hook', secret: `whsec_${'a'.repeat(32)}` }] },
    accounts: {
      database: `sqlite:${join(folder, 'accounts.db')}`,
      directories: [{ name: 'users', kind: 'sql' }],
      recovery: { enabled: true },
      mail: { url: 'log:', from: 'carnet@example.com' },
    },
  });
  await carnet.clients.create({ client_id: 'shop', client_name: script, redirect_uris: ['https://shop.example/cb'] });
  const password = 'correct horse battery';
  const user = await carnet.users?.create({ email: 'ada@example.com', password, claims: { name: script } });
  return { carnet, subject: user?.subject ?? '' };
};

const startConsole = async () => {
  const { carnet, subject } = await startProvider();
  let handler: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | undefined;
  const listener = createServer((request, response) =>
    handler?.(request, response, () => response.writeHead(404).end()),
  );
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/console`);
  const server = createInProcessServer(carnet, { issuer: 'http://localhost:4444' });
  let at = Date.now();
  const warn = () => {};
  const history = openHistory({ server, logger: { warn }, now: () => at, signal: AbortSignal.abort() });
  for (let minute = 0; minute < 5; minute++) {
    await history.sample();
    at += 60_000;
    await carnet.fetch(new Request('http://localhost:4444/.well-known/openid-configuration'));
  }
  const operator = { subject: 'ada', name: script, role: 'operator' } as const;
  const answer = await openConsole({
    server,
    history,
    access: () => ({ identify: async () => ({ operator }), answer: async () => undefined }),
    logger: { info: warn, error: (fields) => console.error(fields) },
    url,
    now: Date.now,
  });
  handler = createNodeHandler(answer, url);
  const values: Readonly<Record<string, string>> = { id: 'shop', subject, name: 'crm' };
  const pages = allRoutes(history)
    .filter(({ method, path }) => method === 'GET' && !noPages.has(path))
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? name)));
  const close = async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
    await carnet.close();
  };
  return { url, pages, close };
};

let running: Awaited<ReturnType<typeof startConsole>>;
let chromium: Browser;
beforeAll(async () => {
  [running, chromium] = await Promise.all([startConsole(), launchChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await running.close();
  rmSync(folder, { recursive: true });
});

/** Calls `check` on each page of the console, and returns the problems with their paths. */
const problemsOf = async (
  options: BrowserContextOptions,
  check: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const page = await chromium.newPage(options);
  const problems: string[] = [];
  let path = '';
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${path}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  for (path of running.pages) {
    const response = await page.goto(running.url + path, { waitUntil: 'domcontentloaded' });
    if (response?.status() !== 200) problems.push(`${path}: ${response?.status()}`);
    problems.push(...(await check(page)).map((problem) => `${path}: ${problem}`));
  }
  await page.close();
  return problems;
};

/** Tables scroll in a region of their own, which WCAG 2.2, section 1.4.10, allows. */
const isNoTable = (problem: string): boolean => !/(?:div#\.table|pre#\S*) is cut off$/.test(problem);

test('each page of the console follows the rules of axe, at 320 px, with a keyboard, and runs no text of others', async () => {
  const problems = await problemsOf({ locale: 'en' }, async (page) => [
    ...(await axeViolations(page)),
    ...(await reflow(page)).filter(isNoTable),
    ...(await keyboard(page)),
    ...((await page.title()) === 'run' ? ['a script ran'] : []),
  ]);
  expect(problems).toEqual([]);
});

test('each page has enough contrast in the dark scheme, and reads from right to left in Arabic', async () => {
  const problems = await problemsOf({ locale: 'ar', colorScheme: 'dark' }, async (page) => [
    ...(await axeViolations(page, 'colors')),
    ...(await reflow(page)).filter(isNoTable),
    ...((await page.evaluate(() => document.dir)) === 'rtl' ? [] : ['it reads from left to right']),
  ]);
  expect(problems).toEqual([]);
});

test('each page can be read without JavaScript', async () => {
  const problems = await problemsOf({ javaScriptEnabled: false }, async (page) => {
    const text = (await page.locator('main').textContent()) ?? '';
    return text.length > 20 ? [] : [`it has the text ${JSON.stringify(text)}`];
  });
  expect(problems).toEqual([]);
});

test('the figures of the overview change while it is open', async () => {
  const page = await chromium.newPage();
  await page.goto(`${running.url}/`);
  await page.evaluate(() => {
    for (const place of document.querySelectorAll('[data-figure]')) place.textContent = 'old';
  });
  await page.waitForFunction(() => document.querySelector('[data-figure=store]')?.textContent === 'answers');
  await page.close();
});
