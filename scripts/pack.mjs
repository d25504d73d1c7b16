// Builds and packs every package that is published. No dependencies but pnpm's own, by npx.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsentUi } from './setup.mjs';
import { childEnv, root, run } from './workspace.mjs';

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The published packages, with their manifests: all of `packages/` that are not private. */
export const publishedPackages = () =>
  readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .map((folder) => ({ folder, manifest: manifestIn(folder) }))
    .filter(({ manifest }) => manifest.private !== true);

const consentUi = '@carnet/consent-ui';

/** Runs a script or command of pnpm in packages, dependencies first. */
const inPackages = async (packages, args) => {
  const filters = packages.flatMap(({ manifest }) => ['--filter', manifest.name]);
  const command = ['-y', manifestIn(root).packageManager, '--pm-on-fail=ignore', '--silent', '-r', ...filters, ...args];
  const code = await run('npx', command, { env: childEnv({ CI: 'true' }) });
  if (code !== 0) throw new Error(`pnpm ${args.join(' ')} failed (exit code ${code})`);
};

/**
 * Builds the published packages from their sources alone, and writes a tarball of each into a folder.
 *
 * @returns the paths of the tarballs
 */
export const packPackages = async (folder) => {
  mkdirSync(folder, { recursive: true });
  const published = publishedPackages();
  // The build of the pages takes half a minute, so it is repeated only when a source has changed.
  const compiled = published.filter(({ manifest }) => manifest.name !== consentUi);
  // Files of an earlier build would be packed too.
  for (const each of compiled) rmSync(join(each.folder, 'dist'), { recursive: true, force: true });
  // First, because `carnet ui` compiles against the types of the pages.
  await buildConsentUi();
  await inPackages(compiled, ['build']);
  await inPackages(published, ['pack', '--pack-destination', folder]);
  return readdirSync(folder).map((name) => join(folder, name));
};
