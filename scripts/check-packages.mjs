// Packs every published package, and checks each tarball with publint and with attw (are the types wrong?).
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { packPackages } from './pack.mjs';
import { main } from './setup.mjs';
import { childEnv, say } from './workspace.mjs';

const checks = (tarball) => [
  ['publint', ['run', '--strict', tarball]],
  ['attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']],
];

/** Runs one tool on one tarball. Resolves with its output if it found a problem, otherwise with undefined. */
const check = async ([tool, args]) => {
  try {
    await promisify(execFile)(tool, args, { env: childEnv({ NO_COLOR: '1' }) });
    return undefined;
  } catch (error) {
    return `${tool} ${basename(args.find((arg) => arg.endsWith('.tgz')))}\n${error.stdout ?? ''}${error.stderr ?? error.message}`;
  }
};

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-packed-'));
  try {
    const tarballs = await packPackages(folder);
    const problems = (await Promise.all(tarballs.flatMap(checks).map(check))).filter((each) => each !== undefined);
    for (const problem of problems) say(problem);
    say(`packages: ${tarballs.length} checked, ${problems.length} problems`);
    return problems.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
