import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** In the order in which they depend on each other. */
const packages = ['adapter-contract', 'adapter-memory', 'provider'].map((name) => {
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
    const named = [...Object.values(manifest.exports).flatMap(Object.values), ...Object.values(manifest.bin ?? {})];
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  test('the command runs from what was built', () => {
    const provider = packages.find(({ name }) => name === 'provider');
    const command = join(provider?.folder ?? '', provider?.manifest.bin?.carnet ?? '');
    const printed = execFileSync(process.execPath, [command, 'version'], { encoding: 'utf8' });
    expect(printed.trim()).toBe(provider?.manifest.version);
  });
});
