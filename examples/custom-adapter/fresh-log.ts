import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A file name in a new folder, which is removed after the tests. */
export const freshLog = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-log-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'carnet.log');
};
