import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

const provider = new URL('../../../packages/provider/', import.meta.url);
const source = fileURLToPath(new URL('src/cli/main.ts', provider));
/** What `buildCarnet` makes of it. */
const built = fileURLToPath(new URL('dist/cli/main.js', provider));

const children = new Set<ChildProcess>();
// Before their folders are removed.
process.prependOnceListener('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface CarnetProcess {
  readonly args: readonly string[];
  /** All of its environment: nothing of ours is handed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Options of Node itself, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** Where its log goes: a file, so that reading it costs this process nothing. */
  readonly logFile?: string;
  /** Run what was built, not the source. */
  readonly isBuilt?: boolean;
}

/** Runs a `carnet` command; it ends with this process. */
export const startCarnet = ({ args, env, cwd, nodeOptions = [], logFile, isBuilt }: CarnetProcess): ChildProcess => {
  const program = isBuilt ? [built] : ['--conditions=source', source];
  const argv = [...nodeOptions, '--disable-warning=ExperimentalWarning', ...program, ...args];
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  const child = spawn(process.execPath, argv, { env, cwd, stdio: ['ignore', log, 'inherit'] });
  if (typeof log === 'number') closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};

interface Ready {
  readonly publicUrl: string;
  readonly adminUrl: string;
}

const untilReady = async (child: ChildProcess, logFile: string): Promise<Ready> => {
  for (;;) {
    const line = readFileSync(logFile, 'utf8')
      .split('\n')
      .find((each) => each.includes('"msg":"ready"'));
    if (line !== undefined) return JSON.parse(line) as Ready;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`carnet serve ended before it was ready:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    }
    await pause(10);
  }
};

export interface ServeOptions extends Pick<CarnetProcess, 'nodeOptions' | 'isBuilt'> {
  readonly env: Readonly<Record<string, string>>;
  readonly workers?: number;
  /** A folder that stays, for a server that is started again. Default: one of its own, gone when it stops. */
  readonly folder?: string;
}

export interface RunningCarnet extends Ready {
  readonly processId: number;
  /** Milliseconds from starting the process until it said that it was ready. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** `carnet serve --dev` on ports of its own, in a folder of its own. Nobody sweeps its store. */
export const serveCarnet = async ({ env, workers = 1, folder: kept, ...how }: ServeOptions): Promise<RunningCarnet> => {
  const folder = kept ?? makeScratchFolder('carnet');
  const logFile = join(folder, 'log');
  rmSync(logFile, { force: true });
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = startCarnet({
    args: ['serve', '--dev', '--workers', String(workers)],
    env: {
      ISSUER: `http://127.0.0.1:${port}`,
      PORT: String(port),
      ADMIN_PORT: workers === 1 ? '0' : String(await findFreePort()),
      STORAGE_SWEEP_SECONDS: '0',
      ...env,
    },
    cwd: folder,
    logFile,
    ...how,
  });
  const ended = once(child, 'exit');
  const ready = await untilReady(child, logFile);
  return {
    ...ready,
    processId: child.pid as number,
    readyAfterMs: performance.now() - startedAt,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      if (kept === undefined) removeScratchFolder(folder);
    },
  };
};
