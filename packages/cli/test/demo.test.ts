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
