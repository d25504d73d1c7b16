// Builds what is in the image: `node build.mjs <folder of the pnpm store> <output folder>`, in the root of the sources.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prune } from './prune.mjs';
import { writeBillOfMaterials } from './sbom.mjs';

const [store, out] = process.argv.slice(2);
const app = join(out, 'app');
const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Runs pnpm. @returns its standard output */
const pnpm = (...args) => {
  const options = ['-y', packageManager, '--pm-on-fail=ignore', `--store-dir=${store}`, ...args];
  const { status, stdout } = spawnSync('npx', options, {
    env: {
      ...process.env,
      CI: 'true',
      npm_config_cache: join(store, 'npm'),
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return stdout;
  process.stderr.write(stdout ?? '');
  throw new Error(`pnpm ${args.join(' ')} failed (exit code ${status})`);
};

// No install script runs: the native libraries are prebuilt.
pnpm('install', '--frozen-lockfile', '--ignore-scripts', '--filter', 'carnet', '--filter', '@carnet/image...');
pnpm('--filter-prod', '@carnet/image...', 'run', 'build');
pnpm('--filter', '@carnet/image', 'deploy', '--prod', '--ignore-scripts', app);
prune(app);
copyFileSync('deploy/image/compile.mjs', join(app, 'compile.mjs'));
writeBillOfMaterials(app, pnpm('--filter', '@carnet/image', 'sbom', '--prod', '--sbom-format', 'cyclonedx'));

// The command, run by the Node.js of the distroless image, which has no shell and no env.
const main = 'node_modules/@carnet/cli/dist/main.js';
const lines = readFileSync(join(app, main), 'utf8').split('\n');
writeFileSync(join(app, main), ['#!/nodejs/bin/node', ...lines.slice(1)].join('\n'));
chmodSync(join(app, main), 0o755);
mkdirSync(join(out, 'bin'));
symlinkSync(`/app/${main}`, join(out, 'bin', 'carnet'));
mkdirSync(join(out, 'data'), { mode: 0o700 });
