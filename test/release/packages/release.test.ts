import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';
import { openRegistry, publisherEnv } from '../registry.ts';
import { createFolder } from '../user/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const packages = publishedPackages().map(({ manifest }) => manifest);

describe('npm run release', { timeout: 300_000 }, () => {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  beforeAll(async () => {
    registry = await openRegistry();
  });
  afterAll(() => registry.close());

  const release = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, ...publisherEnv(createFolder('release'), registry.url) };
    const command = ['run', '-s', 'release', '--', '--registry', registry.url, ...args];
    return (await promisify(execFile)('npm', command, { cwd: root, env })).stdout;
  };

  const publishedNames = async (): Promise<readonly string[]> => {
    const statuses = packages.map(async ({ name }) => {
      const { status } = await fetch(new URL(encodeURIComponent(name), registry.url));
      return status === 200 ? [name] : [];
    });
    return (await Promise.all(statuses)).flat();
  };

  test('publishes nothing with --dry-run', async () => {
    expect(await release('--dry-run')).toMatch(/^@carnet\/provider@\S+ would be published$/m);
    expect(await publishedNames()).toEqual([]);
  });

  test('checks and publishes all packages, each after those that it needs', async () => {
    const output = await release();
    expect(output).toContain(`packages: ${packages.length} checked, 0 problems`);
    expect(await publishedNames()).toEqual(packages.map(({ name }) => name));
    const order = [...output.matchAll(/^(\S+)@\S+ is published$/gm)].map(([, name]) => name);
    expect(order).toHaveLength(packages.length);
    expect(order.indexOf('@carnet/adapter-contract')).toBeLessThan(order.indexOf('@carnet/provider'));
    expect(order.indexOf('@carnet/provider')).toBeLessThan(order.indexOf('@carnet/cli'));
  });

  test('publishes nothing twice', async () => {
    expect(await release()).toContain('already');
  });
});
