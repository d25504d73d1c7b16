import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Carnet } from '@carnet/provider';
import { openTestPostgres } from '@carnet/test-servers';
import { listen } from '@carnet/test-servers/listen';
import { expect, onTestFinished, test } from 'vitest';
import { openAdminApiServer } from '../../src/server/admin-api/open-admin-api.ts';
import { devConfig, startConsole } from '../start-console.ts';

const count = 10_000;
const token = 'the-admin-token-of-the-console';

const byAdminApi = async (carnet: Carnet) => {
  const admin = await listen(carnet.adminCallback());
  onTestFinished(() => admin.close());
  return openAdminApiServer({ issuer: devConfig.issuer, url: new URL(admin.origin), token, timeoutMs: 10_000 });
};

/** Clients with all members, as a server lists them, and the hash of a secret. */
const exportedFile = async ({ clients }: Carnet): Promise<string> => {
  const { client_id: id, ...model } = await clients.create({
    client_id: 'model',
    redirect_uris: ['https://a.test/cb'],
  });
  await clients.delete(id);
  const client_secret = `$pbkdf2-sha256$i=25000,l=32$${'c'.repeat(22)}$${'h'.repeat(43)}`;
  const all = Array.from({ length: count }, (_, index) => ({ ...model, client_id: `client-${index}`, client_secret }));
  return JSON.stringify(all);
};

const createdIn = (page: string): number => (page.match(/<strong>Created<\/strong>/g) ?? []).length;

test.each([
  ['in process', undefined],
  ['by the admin API', byAdminApi],
] as const)(
  '10,000 clients of a server are checked and imported, %s',
  async (way, serverOf) => {
    const postgres = await openTestPostgres();
    onTestFinished(() => postgres.close());
    const config = { admin: { token }, storage: { default: postgres.url } };
    const console = await startConsole(config, undefined, { serverOf });
    onTestFinished(() => console.carnet.close());
    const file = await exportedFile(console.carnet);
    const form = new FormData();
    form.set('file', new File([file], 'clients.json'));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const timed = async (fields: FormData | Record<string, string>) => {
      const start = performance.now();
      const page = await (await console.post('/import-clients', fields)).text();
      return { page, ms: Math.round(performance.now() - start) };
    };
    const check = await timed(form);
    const checked = /name="checked" value="([^"]*)"/.exec(check.page)?.[1] ?? '';
    const imported = await timed({ checked });
    const again = await timed({ checked });
    delay.disable();
    expect(createdIn(imported.page)).toBe(count);
    expect(again.page).toMatch(/<dt>Exists already, not changed<\/dt><dd>10,000<\/dd>/);
    const sizes = { file: file.length, page: check.page.length, result: imported.page.length };
    const ms = { check: check.ms, import: imported.ms, again: again.ms };
    const loop = { p99: Math.round(delay.percentile(99) / 1e6), max: Math.round(delay.max / 1e6) };
    // Shown, not asserted: the machine of the tests may be busy.
    process.stdout.write(`${way}: ${JSON.stringify({ ms, sizes, eventLoopDelayMs: loop })}\n`);
  },
  300_000,
);
