import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main, startProgram, temporaryFolder } from './start-program.ts';

/** Prints each module of an npm package that the process loads. */
const printLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('/node_modules/')) process.stdout.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;

const serve = ['serve', '--dev'];
const ports = { PORT: '0', ADMIN_PORT: '0' };

it('a server does not load the libraries of passkeys, of SMTP and of new passwords when it starts again', async () => {
  const cwd = temporaryFolder();
  const first = startProgram(main, serve, ports, cwd);
  await first.line('"msg":"ready"');
  first.child.kill('SIGTERM');
  await first.exited;
  const again = startProgram(main, serve, { ...ports, NODE_OPTIONS: `--import=${printLoaded}` }, cwd);
  await again.line('"msg":"ready"');
  const loaded = again.lines.filter((line) => line.startsWith('loaded '));
  expect(loaded.some((line) => line.includes('/oidc-provider/'))).toBe(true);
  expect(loaded.filter((line) => /\/(?:@simplewebauthn|@peculiar|nodemailer|@zxcvbn-ts)\//.test(line))).toEqual([]);
});

it('a server that only reads and writes records in Postgres does not load Kysely', async () => {
  const script = `await import('@carnet/adapter-postgres')`;
  const program = startProgram(
    '--input-type=module',
    ['-e', script],
    { NODE_OPTIONS: `--import=${printLoaded}` },
    join(import.meta.dirname, '..'),
  );
  await program.exited;
  expect(program.lines.some((line) => line.includes('/pg/'))).toBe(true);
  expect(program.lines.filter((line) => line.includes('/kysely/'))).toEqual([]);
});

it('the code that was compiled is kept when the server is ready, not only when it ends', async () => {
  const home = temporaryFolder();
  const program = startProgram(main, serve, { ...ports, HOME: home });
  await program.line('"msg":"ready"');
  await expect.poll(() => readdirSync(join(home, '.cache', 'carnet'), { recursive: true }).length).toBeGreaterThan(100);
});
