// Builds a package and what it depends on, before `pnpm pack` packs it: run as `prepack` in the folder of the package.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { buildPackages } from './pack.mjs';
import { main, setup } from './setup.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const pages = '@carnet/consent-ui';

/** The paths that a manifest promises, `./dist/main.js`. */
const promised = (value) =>
  typeof value === 'string' ? (value.includes('*') ? [] : [value]) : Object.values(value ?? {}).flatMap(promised);

const build = async () => {
  const isOfPages = manifest.name === pages;
  // Their build takes half a minute.
  await setup({ build: isOfPages || manifest.devDependencies?.[pages] !== undefined });
  if (isOfPages) return;
  // Files of an earlier build would be packed too.
  rmSync('dist', { recursive: true, force: true });
  await buildPackages([`${manifest.name}...`]);
};

await main(async () => {
  // `packPackages` has built all packages already, from their sources alone.
  if (process.env.CARNET_BUILT !== '1') await build();
  const missing = promised([manifest.exports, manifest.bin]).filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`The build has not written ${missing.join(', ')}.`);
  return 0;
});
