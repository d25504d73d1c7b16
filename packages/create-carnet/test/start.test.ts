import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../test/servers/src/free-port.ts';
import { projectFiles } from '../src/project/create-project.ts';

/** A program that is up after a delay, and reports each request that it refuses until then. */
const program = (name: string, port: string, delayMs: number): string => `
  const { createServer } = require('node:http');
  console.log('${name} started');
  const until = Date.now() + ${delayMs};
  const server = createServer((request, response) => {
    const isUp = Date.now() >= until;
    if (isUp) console.log('${name} answered');
    response.writeHead(isUp ? 200 : 503).end();
  }).listen(${port}, '127.0.0.1');
  process.once('SIGTERM', () => server.close());
`;

/** The lines that `npm start` of a stand-alone project prints until its app has started. Its programs are replaced. */
const linesOf = async (pages: 'own' | 'bundled'): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'create-carnet-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const choices = { folder: 'my-app', framework: 'standalone', store: 'sqlite', pages, mcp: false } as const;
  const files = await projectFiles(choices);
  const [ADMIN_PORT = '', PAGES_PORT = '', APP_PORT = ''] = (await Promise.all([1, 2, 3].map(findFreePort))).map(
    String,
  );
  const programs: Readonly<Record<string, string>> = {
    'start:app': program('app', APP_PORT, 0),
    'start:carnet': program('carnet', ADMIN_PORT, 700),
    ...(pages === 'bundled' && { 'start:pages': program('pages', PAGES_PORT, 300) }),
  };
  const { scripts } = JSON.parse(files.get('package.json') ?? '');
  expect(Object.keys(scripts).filter((name) => name.startsWith('start:'))).toEqual(
    expect.arrayContaining(Object.keys(programs)),
  );
  for (const [path, text] of files) {
    if (path !== 'start.ts' && path !== 'src/settings.ts') continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, `${name.slice(6)}.cjs`), text);
    scripts[name] = `node ${name.slice(6)}.cjs`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  const env = { ...process.env, ADMIN_PORT, PAGES_PORT, APP_PORT };
  const child = spawn(process.execPath, ['start.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes('app started')) child.kill();
  }
  return output.trim().split('\n');
};

describe('npm start of a stand-alone project', () => {
  test('starts the app, which prints its address, when the provider answers', async () => {
    expect(await linesOf('own')).toEqual(['carnet started', 'carnet answered', 'app started']);
  });

  test('starts the pages when the provider answers, and the app when the pages answer', async () => {
    expect(await linesOf('bundled')).toEqual([
      ...['carnet started', 'carnet answered'],
      ...['pages started', 'pages answered'],
      'app started',
    ]);
  });
});
