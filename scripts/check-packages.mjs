// Checks each packed package with publint and with attw (are the types wrong?).
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** Checks tarballs, and prints each problem. Resolves with the number of problems. */
export const checkPackages = async (tarballs) => {
  const problems = (await Promise.all(tarballs.flatMap(checks).map(check))).filter((each) => each !== undefined);
  for (const problem of problems) say(problem);
  say(`packages: ${tarballs.length} checked, ${problems.length} problems`);
  return problems.length;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => ((await checkPackages(await packPackages())) > 0 ? 1 : 0));
}
