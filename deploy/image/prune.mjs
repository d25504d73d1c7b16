// Removes what is installed but not needed to run: types, source maps, documents.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const unneeded = /(?:\.map|\.d\.[cm]?ts|\.tsx?|\.[cm]ts|\.md|\.markdown|\.flow)$/i;

/** Every entry below a folder, those of a folder before the folder itself. Follows no link. */
const entriesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return [...(entry.isDirectory() ? entriesBelow(path) : []), { entry, path }];
  });

/** Prunes a folder that `pnpm deploy` has written. */
export const prune = (app) => {
  const store = join(app, 'node_modules', '.pnpm');
  for (const { entry, path } of entriesBelow(app)) {
    if (entry.isFile() && path.startsWith(store) && unneeded.test(path)) rmSync(path);
    if (entry.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
  // Links to what is gone.
  for (const { entry, path } of entriesBelow(app)) if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path);
};
