import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** Makes a folder in the system's temporary folder. It is removed when this process ends, at the latest. */
export const makeScratchFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `carnet-bench-${name}-`));
  folders.add(folder);
  return folder;
};

export const removeScratchFolder = (folder: string): void => {
  // A process that was just killed may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  folders.delete(folder);
};

process.once('exit', () => {
  for (const folder of folders) removeScratchFolder(folder);
});
