import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const keptFolder = (): string => process.env.BENCH_PEERS_FOLDER ?? join(homedir(), '.cache', 'carnet-bench');

/**
 * Installs a server once, outside of the repository: in the folder `BENCH_PEERS_FOLDER`, by default `~/.cache/carnet-bench`.
 *
 * @param name of the folder: the server with its version
 * @returns the folder
 * @throws Error if it cannot be installed
 */
export const installed = async (name: string, install: (folder: string) => Promise<void>): Promise<string> => {
  const folder = join(keptFolder(), name);
  const isDone = join(folder, 'installed');
  if (existsSync(isDone)) return folder;
  process.stderr.write(`installing ${name} into ${folder}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await install(folder);
  } catch (error) {
    throw new Error(`${name} cannot be installed: ${(error as Error).message}`);
  }
  writeFileSync(isDone, '');
  return folder;
};

/** Runs a program to its end. @throws Error with the end of its output if it fails */
export const runProgram = async (
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<void> => {
  try {
    await promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 2 ** 20,
      timeout: 600_000,
    });
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message.split('\n')[0]}\n${`${stdout}${stderr}`.slice(-1_500)}`);
  }
};
