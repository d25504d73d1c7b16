import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openTestPostgres } from '@carnet/test-servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIn } from '../user/folder.ts';
import { createProject } from './project.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let postgres: Awaited<ReturnType<typeof openTestPostgres>>;
beforeAll(async () => {
  postgres = await openTestPostgres();
});
afterAll(() => postgres?.close());

// The flags of packages/create-carnet/README.md and docs/start/create-carnet.md.
/** Each framework, each store, each kind of pages and MCP at least once. Express with SQLite: first-login.test.ts. */
const combinations = [
  { framework: 'koa', store: 'postgres', pages: 'own', mcp: true, tests: 5 },
  { framework: 'fastify', store: 'sqlite', pages: 'bundled', tests: 3 },
  { framework: 'next', store: 'sqlite', pages: 'own', tests: 3 },
  { framework: 'standalone', store: 'postgres', pages: 'bundled', tests: 3 },
  { framework: 'standalone', store: 'sqlite', pages: 'own', mcp: true, tests: 5 },
] as const;

/** npm installs the bundled pages, which bring Next.js, and the programs of the project start twice. */
const timeoutMs = 240_000;

describe.each(combinations)('$framework, $store, $pages pages', ({ framework, store, pages, tests, ...rest }) => {
  test('the tests of the project sign a user in, and its types are right', { timeout: timeoutMs }, async () => {
    const flags = ['--framework', framework, '--store', store, '--pages', pages];
    if ('mcp' in rest) flags.push('--mcp');
    if (store === 'postgres') flags.push('--database-url', await postgres.createDatabase());
    const { folder } = await createProject(flags);
    const output = await runIn(folder, 'npm', ['test']);
    expect(output).toMatch(new RegExp(`pass ${tests}\\b`));
    // The build of Next.js checks the types. It runs without the settings of production.
    if (framework === 'next') await runIn(folder, 'npm', ['run', 'build']);
    else await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--project', join(folder, 'tsconfig.json')]);
  });
});
