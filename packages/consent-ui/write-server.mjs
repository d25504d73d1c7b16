// Writes the folder `dist/app`: the build of the pages, and of Next.js and React the files that it loads. Run after `next build`.
// It is what the package has of them, so that `next` is not installed with it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = dirname(fileURLToPath(import.meta.url));
const build = join(packageFolder, '.next');
const output = join(packageFolder, 'dist', 'app');

/** Traced, but not loaded by pages without images: they are for one platform. The app's OpenTelemetry is found outside. */
const left = /^(?:sharp|@img\/.+|detect-libc|semver|@opentelemetry\/api)$/;
const unneeded = /\.(?:map|nft\.json|d\.[cm]?ts|md)$/;
const license = /^licen[cs]e/i;

/** `next` and `dist/server/next.js`, and the folder of the package, of a path in the virtual store. */
const placeOf = (path) => {
  const [, folder, name, file] = /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))[/\\](.+)$/.exec(path) ?? [];
  return { folder, name: name?.replaceAll('\\', '/'), file };
};

const traces = () => [
  join(build, 'next-server.js.nft.json'),
  ...readdirSync(join(build, 'server'), { recursive: true })
    .filter((file) => file.endsWith('.nft.json'))
    .map((file) => join(build, 'server', file)),
];

/** The files that Next.js has found to be needed by its server and by the pages. */
const tracedFiles = () =>
  traces().flatMap((trace) =>
    JSON.parse(readFileSync(trace, 'utf8')).files.map((file) => resolve(dirname(trace), file)),
  );

/** The licenses in a folder and in those above it, up to the folder of the package. */
const licensesAbove = (folder, top) => [
  ...readdirSync(folder)
    .filter((name) => license.test(name))
    .map((name) => join(folder, name)),
  ...(folder === top ? [] : licensesAbove(dirname(folder), top)),
];

const copy = (from, to) => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
};

const copyPackages = () => {
  const folders = new Map();
  const files = new Set();
  for (const path of new Set(tracedFiles())) {
    const { folder, name, file } = placeOf(path);
    if (name === undefined || left.test(name) || unneeded.test(file) || !existsSync(path) || !statSync(path).isFile())
      continue;
    if ((folders.get(name) ?? folder) !== folder) throw new Error(`There are two versions of ${name}.`);
    folders.set(name, folder);
    files.add(path);
    files.add(join(folder, 'package.json'));
    for (const found of licensesAbove(dirname(path), folder)) files.add(found);
  }
  for (const path of files) {
    const { name, file } = placeOf(path);
    copy(path, join(output, 'node_modules', name, file));
  }
};

const copyBuild = () => {
  const named = readdirSync(build).filter((name) => name.endsWith('.json') || name === 'BUILD_ID');
  for (const name of [...named, 'server', 'static']) {
    const filter = (path) => !unneeded.test(basename(path));
    cpSync(join(build, name), join(output, '.next', name), { recursive: true, filter });
  }
};

rmSync(output, { recursive: true, force: true });
copyPackages();
copyBuild();
// The same files, with all of their packages.
rmSync(join(build, 'standalone'), { recursive: true, force: true });
