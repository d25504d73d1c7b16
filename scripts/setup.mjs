// Installs the packages, writes the generated files and builds the consent UI, each only when a source has changed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeGeneratedFiles } from './generated.mjs';
import { childEnv, filesBelow, fingerprint, readIfPresent, root, run, say } from './workspace.mjs';

const installStampFile = join(root, 'node_modules', '.carnet-installed');
const consentUi = join(root, 'packages', 'consent-ui');
const buildStampFile = join(consentUi, '.next', '.carnet-built');

/** Folders of the workspace that may hold a package. */
const packageFolders = () => {
  const groups = ['packages', 'examples'].map((group) => join(root, group)).filter((group) => existsSync(group));
  const grouped = groups.flatMap((group) => readdirSync(group).map((name) => join(group, name)));
  return [
    root,
    join(root, 'test'),
    join(root, 'test', 'servers'),
    join(root, 'test', 'release'),
    join(root, 'bench'),
    join(root, 'site'),
    ...grouped.sort(),
  ];
};

const installFingerprint = () =>
  fingerprint(
    [...packageFolders().map((folder) => join(folder, 'package.json')), 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
      .map((file) => (file.startsWith(root) ? file : join(root, file)))
      .filter((file) => existsSync(file)),
  );

const install = async () => {
  const wanted = installFingerprint();
  const present = existsSync(join(root, 'node_modules', '.bin', 'node'));
  if (present && readIfPresent(installStampFile) === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  say(`setup: installing packages with ${packageManager} (a minute the first time)`);
  // npx has chosen the version; without the flag pnpm wants to record its own download of it in the frozen lockfile.
  const args = ['-y', packageManager, 'install', '--frozen-lockfile', '--pm-on-fail=ignore', '--reporter=append-only'];
  // CI: pnpm asks no questions then.
  const code = await run('npx', args, { env: childEnv({ CI: 'true' }) });
  if (code !== 0) throw new Error(`installing packages failed (exit code ${code}); the reason is above`);
  writeFileSync(installStampFile, wanted);
};

/** Builds the pages, and the entry of their package. Quick when nothing has changed. */
export const buildConsentUi = async () => {
  const wanted = fingerprint([
    ...filesBelow(consentUi).filter((file) => !file.endsWith('next-env.d.ts')),
    installStampFile,
  ]);
  const isBuilt = ['dist/app/.next/BUILD_ID', 'dist/pages.js', 'dist/serve'].every((path) =>
    existsSync(join(consentUi, path)),
  );
  if (isBuilt && readIfPresent(buildStampFile) === wanted) return;
  say('setup: building the consent UI (a minute the first time)');
  rmSync(buildStampFile, { force: true });
  const code = await run('npm', ['run', '-s', 'build'], {
    cwd: consentUi,
    env: childEnv({ NEXT_TELEMETRY_DISABLED: '1' }),
  });
  if (code !== 0) throw new Error(`building the consent UI failed (exit code ${code}); the reason is above`);
  writeFileSync(buildStampFile, wanted);
};

/** Makes the workspace ready to run: packages, generated files, and with `build` the consent UI. Quick when nothing has changed. */
export const setup = async ({ build = true } = {}) => {
  await install();
  await writeGeneratedFiles();
  if (build) await buildConsentUi();
};

/** Runs a script's main function; an error is one line and exit code 1. */
export const main = async (work) => {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await setup({ build: !process.argv.includes('--no-build') });
    say('setup: ready');
    return 0;
  });
}
