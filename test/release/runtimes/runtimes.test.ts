import { readFileSync } from 'node:fs';
import { openTestPostgres, type RedisServer, startRedis, type TestPostgres } from '@carnet/test-servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuickStart, readQuickStart } from '../frameworks/quick-start.ts';
import { testSignIn } from '../frameworks/sign-in.ts';
import { createFolder, runIn } from '../user/folder.ts';
import { commands, installRuntime, type Runtime, type RuntimeName, versions } from './runtime.ts';

const guide = readFileSync(new URL('../../../docs/start/deno-and-bun.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const express = readQuickStart('express.md');
const program = express.files['server.mjs'] ?? '';
const adapters = ['@carnet/adapter-sqlite', '@carnet/adapter-postgres', '@carnet/adapter-redis'] as const;

let postgres: TestPostgres;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([openTestPostgres(), startRedis()]);
});
afterAll(() => Promise.all([postgres.close(), redis.close()]));

test('the program that Deno and Bun run is that of the README', () => {
  expect(readme).toContain(program);
});

describe.each(Object.keys(versions) as RuntimeName[])('%s', (name) => {
  let runtime: Runtime;
  let folder: string;
  beforeAll(async () => {
    runtime = await installRuntime(name);
    folder = createFolder(`${name}-program`);
    const [command = '', ...args] = runtime.add;
    await runIn(folder, command, [...args, ...express.packages, ...adapters]);
  });

  const started = (files: QuickStart['files']): QuickStart => ({
    ...express,
    files,
    commands: [[...runtime.run, 'server.mjs']],
  });

  test('the guide has its version and its commands', () => {
    const { add, run } = commands[name];
    expect(guide).toContain(versions[name]);
    expect(guide).toContain([...add, ...express.packages].join(' '));
    expect(guide).toContain([...run, 'server.mjs'].join(' '));
  });

  test('a user signs in through the program of the README, unchanged', async () => {
    await testSignIn(folder, started({ 'server.mjs': program }));
  });

  test.each<readonly [name: string, open: () => string | Promise<string>]>([
    ['SQLite', () => 'sqlite:carnet.db'],
    ['Postgres', () => postgres.createDatabase()],
    ['Redis', () => redis.url],
  ])('a user signs in while %s is the store', async (_name, open) => {
    const store = `storage: { default: ${JSON.stringify(await open())} },`;
    const stored = program.replace('dev: true,', `dev: true, ${store}`);
    expect(stored).toContain(store);
    await testSignIn(folder, started({ 'server.mjs': stored }));
  });
});
