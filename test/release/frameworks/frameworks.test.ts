import { basename } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NodeVersion } from '../user/environment.ts';
import { createFolder, npmInstall } from '../user/folder.ts';
import { importedPackages, readQuickStart } from './quick-start.ts';
import { testSignIn } from './sign-in.ts';

/** The quick starts that share a folder of packages. Each has a folder of its own below it. */
const shared = ['koa.md', 'fastify.md', 'hono.md', 'nest.md'] as const;

describe('the install line of a quick start', () => {
  test.each(['express.md', 'next.md', ...shared])('%s names what the program imports', (name) => {
    const { packages, files } = readQuickStart(name);
    expect(packages).toEqual(expect.arrayContaining([...importedPackages({ files })]));
  });
});

describe('a user signs in through the program of', () => {
  let folder = '';
  const below = (name: string): string => createFolder(`${basename(folder)}/${name}`);
  beforeAll(async () => {
    folder = createFolder('frameworks');
    const packages = shared.flatMap((name) => readQuickStart(name).packages);
    await npmInstall(folder, [...new Set([...packages, '@nestjs/platform-fastify'])]);
  });

  test.each(shared)('%s', async (name) => {
    await testSignIn(below(name), readQuickStart(name));
  });

  test('nest.md on Fastify', async () => {
    const start = readQuickStart('nest.md');
    const files = { ...start.files, ...start.alternatives };
    expect(Object.keys(start.alternatives)).toEqual(['src/main.ts']);
    await testSignIn(below('nest-fastify'), { ...start, files });
  });

  test.each<NodeVersion>(['22', '24'])('express.md, in an empty folder, on Node %s', async (node) => {
    const start = readQuickStart('express.md');
    const empty = createFolder('express');
    await npmInstall(empty, start.packages, { node });
    await testSignIn(empty, start, { node });
  });
});

test('the program for Express has at most 40 lines, its pages included', () => {
  const { files } = readQuickStart('express.md');
  const lines = Object.values(files).flatMap((text) => text.split('\n').filter((line) => line.trim() !== ''));
  console.log(`Express: ${lines.length} lines until a login works`);
  expect(lines.length).toBeLessThanOrEqual(40);
});
