import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes an empty folder, which is removed after the tests of this block. */
export const folderForTests = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-tests-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
