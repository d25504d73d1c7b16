// Builds and packs every package that is published. No dependencies but pnpm's own, by npx.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsentUi } from './setup.mjs';
import { childEnv, filesBelow, fingerprint, readIfPresent, root, run } from './workspace.mjs';

const packages = join(root, 'packages');
const packed = join(root, 'node_modules', '.cache', 'carnet-packed');
const stampFile = join(packed, 'stamp');

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The published packages, with their manifests: all of `packages/` that are not private. */
export const publishedPackages = () =>
  readdirSync(packages)
    .map((name) => join(packages, name))
    .map((folder) => ({ folder, manifest: manifestIn(folder) }))
    .filter(({ manifest }) => manifest.private !== true);

const consentUi = '@carnet/consent-ui';

/** Runs a script or command of pnpm in packages, dependencies first. */
const inPackages = async (packages, args) => {
  const filters = packages.flatMap(({ manifest }) => ['--filter', manifest.name]);
  const options = ['--pm-on-fail=ignore', '--reporter=append-only', '-r', ...filters];
  const code = await run('npx', ['-y', manifestIn(root).packageManager, ...options, ...args], {
    env: childEnv({ CI: 'true' }),
  });
  if (code !== 0) throw new Error(`pnpm ${args.join(' ')} failed (exit code ${code})`);
};

const buildAll = async () => {
  const published = publishedPackages();
  // The build of the pages takes half a minute, so it is repeated only when a source has changed.
  const compiled = published.filter(({ manifest }) => manifest.name !== consentUi);
  // Files of an earlier build would be packed too.
  for (const each of compiled) rmSync(join(each.folder, 'dist'), { recursive: true, force: true });
  // The pages first: the command compiles against their types.
  await buildConsentUi();
  await inPackages(compiled, ['build']);
};

const sources = () => [
  ...filesBelow(packages).filter((file) => !file.endsWith('next-env.d.ts')),
  ...['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'LICENSE'].map((file) => join(root, file)),
];

/**
 * Builds the published packages from their sources alone, and packs a tarball of each. The tarballs of an earlier call
 * are returned when no source has changed.
 *
 * @returns the paths of the tarballs
 */
export const packPackages = async () => {
  const wanted = fingerprint(sources());
  if (readIfPresent(stampFile) !== wanted) {
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed, { recursive: true });
    await buildAll();
    await inPackages(publishedPackages(), ['pack', '--pack-destination', packed]);
    writeFileSync(stampFile, wanted);
  }
  return readdirSync(packed)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(packed, name));
};
