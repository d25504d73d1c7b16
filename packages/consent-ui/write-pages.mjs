// Writes `dist/pages.js`: the pages without Next.js, and the libraries that they need, with their licenses.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const packageFolder = dirname(fileURLToPath(import.meta.url));
const output = join(packageFolder, 'dist');

const build = await rolldown({
  input: join(packageFolder, 'src', 'pages.ts'),
  platform: 'node',
  // The client of the accounts API comes from its source: the workspace is not built when the pages are.
  resolve: { conditionNames: ['@carnet/source', 'node', 'import', 'default'] },
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
});
const { output: chunks } = await build.write({ file: join(output, 'pages.js'), format: 'esm', codeSplitting: false });
await build.close();

/** The folder of the package of a module, and its name. */
const packageOf = (id) => /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))[/\\]/.exec(id)?.slice(1);

const packages = new Map(
  chunks
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .flatMap((id) => [packageOf(id) ?? []])
    .flatMap(([folder, name]) => (folder === undefined ? [] : [[name, folder]])),
);

const licenseIn = (folder) => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name) && existsSync(join(folder, name)));
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
};

const licenses = [...packages].sort().map(([name, folder]) => {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${licenseIn(folder)}`;
});
writeFileSync(join(output, 'pages.licenses.txt'), licenses.join('\n\n---\n\n'));
