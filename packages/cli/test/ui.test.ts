import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/command.ts';
import { main, startProgram } from './start-program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `fetch` refuses TRACE. */
const statusOf = (method: string, url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { method }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

beforeAll(() => {
  // Builds the pages if a source has changed.
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: root });
}, 180_000);

test('`carnet ui` serves the pages until SIGTERM, and then exits with 0', async () => {
  const program = startProgram(main, ['ui'], { PORT: '0' });
  const url = (await program.line('The pages are ready at')).split(' ').at(-1);
  const page = await fetch(`${url}/login`);
  expect(page.status).toBe(400);
  expect(page.headers.get('x-powered-by')).toBeNull();
  expect(await page.text()).toContain('<html');
  expect(await statusOf('TRACE', `${url}/login`)).toBe(405);
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual([exitCodes.ok, null]);
});

test('`carnet ui` serves the metrics of the pages on a port of their own', async () => {
  const program = startProgram(main, ['ui'], { PORT: '0', UI_METRICS_PORT: '0' });
  const metricsUrl = (await program.line('The metrics of the pages are at')).split(' ').at(-1) ?? '';
  const url = (await program.line('The pages are ready at')).split(' ').at(-1);
  for (const path of ['/login', '/login?a=1', '/invented/by/a/caller']) await (await fetch(`${url}${path}`)).text();
  const series = (await (await fetch(metricsUrl)).text()).split('\n').filter((line) => line.includes('_count{'));
  const labels = 'listener="pages",http_request_method="GET"';
  expect(series).toEqual([
    `http_server_request_duration_seconds_count{${labels},http_route="/login",http_response_status_code="400"} 2`,
    `http_server_request_duration_seconds_count{${labels},http_route="other",http_response_status_code="404"} 1`,
  ]);
  expect((await fetch(metricsUrl.replace('/metrics', '/login'))).status).toBe(404);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual([exitCodes.ok, null]);
});

test('`carnet ui` names every setting that is not valid, and exits', async () => {
  const program = startProgram(main, ['ui'], {
    PORT: '0',
    UI_COLOR: 'shiny',
    CONSENT_TICKED: '7',
  });
  expect((await program.exited)[0]).toBe(exitCodes.config);
  expect(program.lines.join('\n')).toContain('UI_COLOR must be a color');
  expect(program.lines.join('\n')).toContain('CONSENT_TICKED must be true or false, in a variable 1 or 0');
});

test('`carnet ui` refuses a PORT that is none', async () => {
  const program = startProgram(main, ['ui'], { PORT: '70000' });
  expect(await program.exited).toEqual([exitCodes.usage, null]);
});
