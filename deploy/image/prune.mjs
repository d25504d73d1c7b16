// Removes what is installed but not needed to run: types, source maps, the build tools of Next.js.
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Packages that Next.js needs only to build, or to resize images. */
const unused = /^(?:@next\+swc|@img\+|sharp@|caniuse-lite@|baseline-browser-mapping@|postcss@|source-map-js@)/;
/** Packages of which only the files that Next.js has traced for its server are needed. */
const traced = /^(?:next|react|react-dom|styled-jsx|@swc\/helpers)$/;
const unneeded = /(?:\.map|\.d\.[cm]?ts|\.tsx?|\.[cm]ts|\.md|\.markdown|\.flow)$/i;

/** Every entry below a folder, those of a folder before the folder itself. Follows no link. */
const entriesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return [...(entry.isDirectory() ? entriesBelow(path) : []), { entry, path }];
  });

/** `next` and `dist/server/next.js` of a path in the virtual store. */
const placeOf = (path) => {
  const inPackage = path.replaceAll('\\', '/').split('/node_modules/').at(-1);
  const [, name, file] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(inPackage) ?? [];
  return { name, file };
};

/** The files that Next.js has found to be needed by its server and by the pages, as `name/file`. */
const tracedFiles = (build) =>
  new Set(
    ['next-server.js.nft.json', ...globSync('server/**/*.nft.json', { cwd: build })]
      .flatMap((trace) => JSON.parse(readFileSync(join(build, trace), 'utf8')).files)
      .map(placeOf)
      .map(({ name, file }) => `${name}/${file}`),
  );

/** Prunes a folder that `pnpm deploy` has written. `build` is the `.next` of the pages. */
export const prune = (app, build) => {
  const store = join(app, 'node_modules', '.pnpm');
  for (const name of readdirSync(store)) {
    if (unused.test(name)) rmSync(join(store, name), { recursive: true });
  }
  const needed = tracedFiles(build);
  const isNeeded = (path) => {
    const { name, file } = placeOf(path);
    const isTraced = !traced.test(name) || /^(?:package\.json|LICEN[CS]E)/i.test(file) || needed.has(`${name}/${file}`);
    return isTraced && !unneeded.test(path);
  };
  for (const { entry, path } of entriesBelow(app)) {
    if (entry.isFile() && path.startsWith(store) && !isNeeded(path)) rmSync(path);
    if (entry.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
  // Links to what is gone.
  for (const { entry, path } of entriesBelow(app)) if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path);
};
