import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import { UsageError } from '../usage-error.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

const thisClone = fileURLToPath(new URL('../../../', import.meta.url));

/** The paths of the command, in this and in earlier commits. */
const programs = {
  source: ['packages/cli/src/main.ts', 'packages/provider/src/cli/main.ts'],
  built: ['packages/cli/dist/main.js', 'packages/provider/dist/cli/main.js'],
} as const;

/** @throws UsageError unless the folder is a clone of this repository */
const programOf = (clone: string, form: keyof typeof programs): string => {
  const found = programs[form].map((path) => join(clone, path)).find((path) => existsSync(path));
  if (found === undefined)
    throw new UsageError(`${clone} is no clone of this repository: it has no ${programs[form][0]}`);
  return found;
};

const children = new Set<ChildProcess>();
// Registered in front of the listener that removes their folders.
process.prependOnceListener('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface CarnetProcess {
  readonly args: readonly string[];
  /** Its whole environment: it inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Options of Node itself, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** The file of its log. A pipe would cost this process time. */
  readonly logFile?: string;
  /** Runs the output of `buildCarnet`, not the source. */
  readonly isBuilt?: boolean;
  /** The folder of the clone whose command is run. Default: this clone. */
  readonly clone?: string;
}

/** Runs a `carnet` command until it ends, at the latest until this process ends. */
export const startCarnet = ({
  args,
  env,
  cwd,
  nodeOptions = [],
  logFile,
  isBuilt,
  clone = thisClone,
}: CarnetProcess): ChildProcess => {
  const program = isBuilt
    ? [programOf(clone, 'built')]
    : ['--conditions=@carnet/source', '--conditions=source', programOf(clone, 'source')];
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

export interface ServeOptions extends Pick<CarnetProcess, 'nodeOptions' | 'isBuilt' | 'clone'> {
  readonly env: Readonly<Record<string, string>>;
  readonly workers?: number;
  /** A folder that is kept, for a server that is started again. Default: a new folder, removed when the server stops. */
  readonly folder?: string;
}

export interface RunningCarnet extends Ready {
  readonly processId: number;
  /** Milliseconds from the start of the process to its log line `ready`. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** Starts `carnet serve --dev` on free ports, in a folder of its own, without the sweep of expired records. */
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
