import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, waitUntil } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { expect, test } from 'vitest';
import { createBrowser } from '../../console/test/browser.ts';
import { onSockets, pages, signInAt } from './sign-in-at-console.ts';
import { main, startProgram } from './start-program.ts';

const folder = folderForTests();

/** Two workers with the issuers (first) and `acme`. */
const serve = async () => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const [issuer, admin] = [`http://localhost:${port}`, `http://localhost:${adminPort}`];
  const file = join(folder, 'carnet.json');
  const config = {
    ...{ issuer, workers: 2, log: { level: 'info' } },
    storage: { default: `sqlite:${join(folder, 'carnet.db')}` },
    urls: { login: `${pages}/login`, consent: `${pages}/consent` },
    console: { enabled: true, access: { operator: ['platform'] } },
    issuers: { acme: { issuer: `${issuer}/acme` } },
  };
  writeFileSync(file, JSON.stringify(config));
  const env = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const { line } = startProgram(main, ['serve', '--dev', '--config', file], env);
  await line('"msg":"ready"');
  return { issuer, admin };
};

/** Each request has a connection of its own: the system gives it to one of the workers. */
const discover = async (issuer: string) => {
  const url = `${issuer}/.well-known/openid-configuration`;
  const response = await fetch(url, { headers: { connection: 'close' } });
  await response.text();
};

const figureIn = (html: string, name: string): number =>
  Number(new RegExp(`data-figure="${name}">([\\d,]+)`).exec(html)?.[1]?.replaceAll(',', ''));

test('the overviews have the figures of all workers: of all issuers at the first one, and of its own at a named one', async () => {
  const { issuer, admin } = await serve();
  const consoles = { '': `${admin}/console`, acme: `${admin}/issuers/acme/console` };
  const browsers = Object.entries(consoles).map(async ([name, console]) => {
    const browser = createBrowser({ [issuer]: onSockets, [admin]: onSockets });
    const api = name === '' ? admin : `${admin}/issuers/${name}`;
    const page = await signInAt(browser, console, { api, subject: 'ada', groups: ['platform'] });
    expect(page.status).toBe(200);
    const read = async (figure: string) => figureIn(await (await browser.send(new URL(console))).text(), figure);
    // Each worker begins to collect when it is first asked. The sign-in takes less than 40 requests.
    for (let index = 0; index < 12; index += 1) await read('requests');
    return read;
  });
  const [first, acme] = await Promise.all(browsers);
  if (first === undefined || acme === undefined) throw new Error('there are two');
  await waitUntil('figures of both, at each worker', async () => {
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => (await acme('requests')) + (await first('requests'))),
    );
    return counts.every((count) => !Number.isNaN(count));
  });
  const requests = Array.from({ length: 60 }, () => discover(`${issuer}/acme`));
  await Promise.all([...requests, ...Array.from({ length: 40 }, () => discover(issuer))]);
  // Whichever worker answers, it counts the requests of both.
  await waitUntil('all requests', async () => {
    const counts = await Promise.all([1, 2, 3, 4].map(async () => [await acme('requests'), await first('requests')]));
    return counts.every(([ofAcme = 0, ofAll = 0]) => ofAcme >= 60 && ofAll >= 100);
  });
});
