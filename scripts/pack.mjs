// Builds and packs every package that is published. No dependencies but pnpm's own, by npx.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeGeneratedFiles } from './generated.mjs';
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

const namesOf = (packages) => packages.map(({ manifest }) => manifest.name);

/** Runs a script or command of pnpm in packages, dependencies first: not those of tests, among which there are circles. */
const inPackages = async (names, args, env = {}) => {
  const filters = names.flatMap((name) => ['--filter-prod', name]);
  const options = ['--pm-on-fail=ignore', '--reporter=append-only', '-r', ...filters];
  const code = await run('npx', ['-y', manifestIn(root).packageManager, ...options, ...args], {
    env: childEnv({ CI: 'true', ...env }),
  });
  if (code !== 0) throw new Error(`pnpm ${args.join(' ')} failed (exit code ${code})`);
};

/**
 * Builds packages, but not the pages, whose build takes half a minute.
 *
 * @param names filters of pnpm: `@carnet/provider`, or with all that it depends on `@carnet/provider...`
 */
export const buildPackages = (names) => inPackages([...names, `!${consentUi}`], ['build']);

const buildAll = async () => {
  const compiled = publishedPackages().filter(({ manifest }) => manifest.name !== consentUi);
  // Files of an earlier build would be packed too.
  for (const each of compiled) rmSync(join(each.folder, 'dist'), { recursive: true, force: true });
  // The pages first: the command compiles against their types. They are built again only when a source has changed.
  await buildConsentUi();
  await buildPackages(namesOf(compiled));
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
  // One of them is a source of the command.
  await writeGeneratedFiles();
  const wanted = fingerprint(sources());
  if (readIfPresent(stampFile) !== wanted) {
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed, { recursive: true });
    await buildAll();
    await inPackages(namesOf(publishedPackages()), ['pack', '--pack-destination', packed], { CARNET_BUILT: '1' });
    writeFileSync(stampFile, wanted);
  }
  return readdirSync(packed)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(packed, name));
};
