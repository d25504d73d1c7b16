import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type NodeVersion, userEnvironment } from './environment.ts';

const run = promisify(execFile);

export interface RunOptions {
  /** Default `24`. */
  readonly node?: NodeVersion;
  /** Variables over those of the user. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An empty folder outside of the workspace, with the given files in it. It is removed after the run. */
export const createFolder = (name: string, files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(inject('baseFolder'), `${name}-`));
  writeFiles(folder, files);
  return folder;
};

/** Writes files, by their paths in the folder. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

/** The environment in which a user's programs run. */
export const environmentOf = async ({ node = '24', env = {} }: RunOptions = {}): Promise<Record<string, string>> => ({
  ...(await userEnvironment({ home: inject('baseFolder'), registryUrl: inject('registryUrl'), node })),
  ...env,
});

/**
 * Runs a command in a folder to its end, as a user does: `node`, `npm` and `npx` are on the path.
 *
 * @returns its standard output
 * @throws Error with both outputs if the exit code is not 0
 */
export const runIn = async (
  folder: string,
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> => {
  const env = await environmentOf(options);
  try {
    return (await run(command, [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed: ${message}\n${stdout}\n${stderr}`, { cause: error });
  }
};

/**
 * `npm install` of packages, each a name or `name@version`, from the registry of the run. A folder without a
 * `package.json` gets one with `"type": "module"`.
 */
export const npmInstall = async (folder: string, packages: readonly string[], options?: RunOptions): Promise<void> => {
  if (!existsSync(join(folder, 'package.json'))) {
    writeFiles(folder, { 'package.json': JSON.stringify({ private: true, type: 'module' }) });
  }
  await runIn(folder, 'npm', ['install', '--loglevel=error', ...packages], options);
};
