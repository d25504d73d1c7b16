import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeProblem, oldestNode } from './node-version.ts';

test('a Node.js that lacks node:sqlite is refused by its version, before a module is missing', () => {
  expect(nodeProblem('20.20.2')).toContain('needs Node.js 22.16.0 or later, and this is 20.20.2');
  expect(nodeProblem('22.9.0')).toBeDefined();
  expect(nodeProblem('22.16.0')).toBeUndefined();
  expect(nodeProblem('100.0.0')).toBeUndefined();
});

test('the oldest version is that of the manifest', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { engines } = JSON.parse(manifest) as { engines: { node: string } };
  expect(`${engines.node}.0`).toContain(oldestNode);
});
