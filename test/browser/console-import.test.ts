import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './accessibility/axe.ts';
import { keyboard, reflow } from './accessibility/checks.ts';
import { launchChromium } from './chromium.ts';
import { startConsole } from './start-console.ts';

const script = '<script>document.title="run"</script>"><img src=x onerror=alert(1)>';

const folder = folderForTests();
let running: Awaited<ReturnType<typeof startConsole>>;
let chromium: Browser;
beforeAll(async () => {
  [running, chromium] = await Promise.all([startConsole({ name: script, createMs: 20 }), launchChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await running.close();
});

const chooseFile = async (page: Page, content: string): Promise<void> => {
  await page.goto(`${running.url}/import-clients`);
  const file = { name: 'clients.json', mimeType: 'application/json', buffer: Buffer.from(content) };
  await page.setInputFiles('input[type=file]', file);
};

/** The buttons of the layout have other places. */
const submit = (page: Page): Promise<void> => page.locator('main form button').click();

const clientsOf = (prefix: string, count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    client_id: `${prefix}-${index}`,
    client_name: script,
    ...(index % 2 === 0 && { token_endpoint_auth_method: 'none' }),
  }));

/** The problems of accessibility of the page, and a text that was run. */
const problemsOf = async (page: Page): Promise<readonly string[]> => [
  ...(await axeViolations(page)),
  ...(await reflow(page)),
  ...(await keyboard(page)),
  ...((await page.title()) === 'run' ? ['a script ran'] : []),
];

/** Imports a file with a result of each kind. */
const importWith = async (options: BrowserContextOptions, prefix: string) => {
  const page = await chromium.newPage(options);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const odd = [{ client_id: 'shop' }, { client_id: 'x'.repeat(300) }, { client_id: 'y'.repeat(250), logo_uri: script }];
  await chooseFile(page, JSON.stringify([...clientsOf(prefix, 40), ...odd, ...clientsOf(prefix, 1)]));
  await submit(page);
  await page.locator('.result').waitFor();
  return { page, errors };
};

test('a file is checked and imported, and both pages can be used with a keyboard and at 320 px', async () => {
  const { page, errors } = await importWith({ locale: 'en' }, 'en');
  expect(await page.locator('.result dl').textContent()).toMatch(/Can be imported40\D/);
  expect(await problemsOf(page)).toEqual([]);
  await submit(page);
  await page.locator('.result').waitFor();
  expect(await page.locator('.result dl').textContent()).toMatch(/Created40Exists already, not changed\d+Refused\d+/);
  expect(await problemsOf(page)).toEqual([]);
  expect(await page.locator('.step, .stop').filter({ visible: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'en-7', exact: true }).click();
  expect(await page.locator('main h1').textContent()).toContain('<script>');
  expect(errors).toEqual([]);
  await page.close();
});

test('the pages of an import have enough contrast in the dark scheme, and read from right to left in Arabic', async () => {
  const { page, errors } = await importWith({ locale: 'ar', colorScheme: 'dark' }, 'ar');
  for (const step of ['check', 'import']) {
    if (step === 'import') await submit(page);
    await page.locator('.result').waitFor();
    const problems = [...(await axeViolations(page, 'colors')), ...(await reflow(page))];
    expect([step, await page.evaluate(() => document.dir), problems]).toEqual([step, 'rtl', []]);
  }
  expect(errors).toEqual([]);
  await page.close();
});

test('without JavaScript, the page shows the progress while clients are registered, and its link stops the import', async () => {
  const page = await chromium.newPage({ locale: 'en', javaScriptEnabled: false });
  await chooseFile(page, JSON.stringify(clientsOf('many', 2_000)));
  await submit(page);
  await page.locator('.result').waitFor();
  await page.locator('main form button').click({ noWaitAfter: true });
  const progress = page.locator('.step progress').filter({ visible: true });
  const values = new Set<number>();
  while (values.size < 3) values.add(Number(await progress.getAttribute('value')));
  expect(await progress.count()).toBe(1);
  await page.getByRole('link', { name: 'Stop' }).click();
  await page.locator('input[type=file]').waitFor();
  await chooseFile(page, JSON.stringify(clientsOf('many', 2_000)));
  await submit(page);
  await page.locator('.result').waitFor();
  const counts = (await page.locator('.result dl').textContent()) ?? '';
  const [ready = 0, existing = 0] = (counts.match(/\d[\d,]*/g) ?? []).map((count) => Number(count.replace(',', '')));
  expect(ready + existing).toBe(2_000);
  expect(ready).toBeGreaterThan(0);
  expect(existing).toBeGreaterThan(0);
  await page.close();
});

test('a file of 50 MB gets a page that says so', async () => {
  const file = join(folder, 'large.json');
  writeFileSync(file, '');
  truncateSync(file, 50_000_000);
  const page = await chromium.newPage({ locale: 'en' });
  await page.goto(`${running.url}/import-clients`);
  await page.setInputFiles('input[type=file]', file);
  await submit(page);
  await page.getByText('too large').waitFor();
  await page.close();
});
