import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** A folder in the system's temporary folder, which is gone with this process at the latest. */
export const makeScratchFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `carnet-bench-${name}-`));
  folders.add(folder);
  return folder;
};

export const removeScratchFolder = (folder: string): void => {
  // Whoever was killed a moment ago may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  folders.delete(folder);
};

process.once('exit', () => {
  for (const folder of folders) removeScratchFolder(folder);
});
