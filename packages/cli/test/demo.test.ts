import { findFreePort, signInAtPages } from '@carnet/test-servers';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/command.ts';
import { main, startProgram } from './start-program.ts';

test('`carnet demo` signs its user in at its own pages, and ends both at SIGTERM', async () => {
  const [issuer, pages] = [
    `http://localhost:${await findFreePort()}`,
    `http://localhost:${await findFreePort()}`,
  ] as const;
  const demo = startProgram(main, ['demo', '--issuer', issuer, '--pages', pages], { ADMIN_PORT: '0' });
  await demo.line('Password   carnet-demo');
  const { url, html } = await signInAtPages(`${pages}/account`, 'demo@example.com', 'carnet-demo');
  expect(url).toBe(`${pages}/account`);
  expect(html).toContain('demo@example.com');
  demo.child.kill('SIGTERM');
  expect(await demo.exited).toEqual([exitCodes.ok, null]);
});

test('the demo user is an operator in the console of `carnet demo`, and in `carnet console` beside it', async () => {
  const [issuer, pages, admin, port] = await Promise.all([1, 2, 3, 4].map(() => findFreePort()));
  const env = { ADMIN_PORT: String(admin), ADMIN_TOKEN: 'the-admin-token-of-the-demo' };
  const urls = ['--issuer', `http://localhost:${issuer}`, '--pages', `http://localhost:${pages}`];
  const demo = startProgram(main, ['demo', ...urls], env);
  const url = `http://localhost:${admin}/console`;
  await demo.line(`Console    ${url}`);
  const { html } = await signInAtPages(url, 'demo@example.com', 'carnet-demo');
  expect(html).toContain('Signed in as Dana Moreno (operator)');
  const other = startProgram(main, ['console', '--dev', '--endpoint', `http://127.0.0.1:${admin}`], {
    ...env,
    ISSUER: `http://localhost:${issuer}`,
    CONSOLE_URL: `http://localhost:${port}/console`,
  });
  await other.line('The console is ready');
  const beside = await signInAtPages(`http://localhost:${port}/console`, 'demo@example.com', 'carnet-demo');
  expect(beside.html).toContain('Signed in as Dana Moreno (operator)');
  for (const program of [other, demo]) {
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual([exitCodes.ok, null]);
  }
});

test('`carnet console` needs an admin token, and values of the claim', async () => {
  const without = startProgram(main, ['console', '--dev'], { ISSUER: 'http://localhost:4444' });
  expect(await without.exited).toEqual([exitCodes.usage, null]);
  expect(without.lines.join('\n')).toContain('Set ADMIN_TOKEN or --token-file.');
  const nobody = startProgram(main, ['console'], { ISSUER: 'https://id.example.com' });
  expect(await nobody.exited).toEqual([exitCodes.usage, null]);
  expect(nobody.lines.join('\n')).toContain('CONSOLE_ACCESS_OPERATOR');
});

test('`carnet demo` ends with the server if the port of the pages is taken', async () => {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const demo = startProgram(main, ['demo', '--issuer', url, '--pages', url], { ADMIN_PORT: '0' });
  expect(await demo.exited).toEqual([exitCodes.failed, null]);
  expect(demo.lines.join('\n')).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
});

test('`carnet demo` refuses an issuer on another machine', async () => {
  const demo = startProgram(main, ['demo', '--issuer', 'http://id.example.com']);
  expect(await demo.exited).toEqual([exitCodes.usage, null]);
  expect(demo.lines.join('\n')).toContain('--issuer must be an http URL on this machine');
});
