import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTests } from '../../test/servers/src/folder-for-tests.ts';
import { writeTextFiles } from './llms.ts';

const folder = folderForTests();

test('llms.txt lists all pages, and llms-full.txt has their text', () => {
  const folders = { docs: join(folder, 'docs'), generated: join(folder, 'generated') };
  mkdirSync(join(folders.docs, 'guides'), { recursive: true });
  writeFileSync(join(folders.docs, 'guides/logout.md'), '# Logout\n\nEnds a session.\n');
  mkdirSync(join(folders.generated, 'reference/api'), { recursive: true });
  writeFileSync(join(folders.generated, 'reference/api/index.md'), '# API\n\nFunctions.\n');
  writeTextFiles(folders, folder, '/carnet/');
  const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
  expect(list).toContain('## Guides\n\n- [Logout](/carnet/guides/logout)\n');
  expect(list).toContain('- [API](/carnet/reference/api/)\n');
  const text = readFileSync(join(folder, 'llms-full.txt'), 'utf8');
  for (const part of ['Ends a session.', 'Functions.']) expect(text).toContain(part);
});
