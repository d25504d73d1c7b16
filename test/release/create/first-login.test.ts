import { findFreePort } from '@carnet/test-servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../browser/chromium.ts';
import type { NodeVersion } from '../user/environment.ts';
import { type Program, startIn } from '../user/program.ts';
import { createProject } from './project.ts';

// The commands of README.md, packages/create-carnet/README.md and docs/start/create-carnet.md.

const versions: readonly NodeVersion[] = ['22.18', '24'];

describe.each(versions)('on Node.js %s', (node) => {
  const started: Program[] = [];
  let chromium: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    chromium = await launchChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    for (const program of started) await program.stop();
  });

  test('npm create carnet, npm start and a sign-in in a browser work, and the output says in how many seconds', async () => {
    const begun = performance.now();
    const { folder, output, env } = await createProject(
      ['--framework', 'express', '--store', 'sqlite', '--pages', 'own'],
      node,
    );
    const installed = performance.now();
    expect(output).toContain('npm start');
    for (const secret of ['SECRETS_SYSTEM', 'CLIENT_DEMO_SECRET', 'DEMO_PASSWORD']) {
      expect(output).not.toContain(env[secret]);
    }
    const port = await findFreePort();
    const program = await startIn(folder, 'npm', ['start'], { ready: /Open (\S+)/, node, env: { PORT: String(port) } });
    started.push(program);
    expect(program.ready[1]).toBe(`http://localhost:${port}`);
    const second = startIn(folder, 'npm', ['start'], { ready: /Open/, node, env: { PORT: String(port) } });
    await expect(second).rejects.toThrow('EADDRINUSE');

    const page = await chromium.newPage();
    await page.goto(String(program.ready[1]));
    await page.click('a:has-text("Sign in")');
    await page.fill('input[name=email]', 'demo@example.com');
    await page.fill('input[name=password]', String(env.DEMO_PASSWORD));
    await page.click('button:has-text("Sign in")');
    await page.click('button:has-text("Allow")');
    await page.waitForSelector('text=You are signed in');
    expect(await page.textContent('table')).toContain('demo@example.com');
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    const now = performance.now();
    console.log(
      `Node.js ${node}: from an empty folder to a login in ${seconds(begun, now)} s, ${seconds(installed, now)} s of it after npm install`,
    );

    await page.click('button:has-text("Sign out")');
    await page.waitForSelector('text=You are not signed in');
    expect(program.output()).not.toContain(String(env.DEMO_PASSWORD));
  });
});
