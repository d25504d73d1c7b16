import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** In the order in which they depend on each other. */
const packages = [
  'adapter-contract',
  'adapter-memory',
  'adapter-sqlite',
  'adapter-postgres',
  'adapter-redis',
  'provider',
  'cli',
].map((name) => {
  const folder = join(root, 'packages', name);
  return { name, folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest };
});

/** What is published is built, and runs without the sources' export condition. */
describe('the built packages', () => {
  beforeAll(() => {
    for (const { folder } of packages) {
      execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], { cwd: folder });
    }
  });

  test.each(packages)('$name has every file its manifest names', ({ folder, manifest }) => {
    const named = [
      ...Object.values(manifest.exports).flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      ),
      ...Object.values(manifest.bin ?? {}),
    ];
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  const cli = packages.find(({ name }) => name === 'cli');
  const command = join(cli?.folder ?? '', cli?.manifest.bin?.carnet ?? '');

  test('the command runs from what was built', () => {
    const printed = execFileSync(process.execPath, [command, 'version'], { encoding: 'utf8' });
    expect(printed.trim()).toBe(cli?.manifest.version);
  });

  test('the command finds the store that comes with it', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'carnet-built-'));
    const env = { DATABASE_URL: 'sqlite:carnet.db' };
    const printed = execFileSync(process.execPath, [command, 'migrate', 'up'], { cwd, env, encoding: 'utf8' });
    expect(printed).toContain('applied');
    expect(existsSync(join(cwd, 'carnet.db'))).toBe(true);
    rmSync(cwd, { recursive: true });
  });

  test.each(['postgres', 'redis'] as const)('the adapter for %s can be imported', (name) => {
    const module = join(root, 'packages', `adapter-${name}`, 'dist/index.js');
    const script = `const { openAdapter } = await import(${JSON.stringify(module)}); process.stdout.write(typeof openAdapter);`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('function');
  });
});
