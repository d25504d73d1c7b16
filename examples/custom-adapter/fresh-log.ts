import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A file name in a folder of its own, which goes when the tests of the file have ended. */
export const freshLog = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return join(folder, 'carnet.log');
};
