import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';

const carnet = fileURLToPath(new URL('../../../packages/provider/src/cli/main.ts', import.meta.url));

const children = new Set<ChildProcess>();
process.once('exit', () => {
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
}

/** Runs a `carnet` command; it ends with this process. */
export const startCarnet = ({ args, env, cwd, nodeOptions = [], logFile }: CarnetProcess): ChildProcess => {
  const argv = [...nodeOptions, '--conditions=source', '--disable-warning=ExperimentalWarning', carnet, ...args];
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

export interface ServeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly workers?: number;
  readonly nodeOptions?: readonly string[];
}

export interface RunningCarnet extends Ready {
  readonly processId: number;
  /** Milliseconds from starting the process until it said that it was ready. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** `carnet serve --dev` on ports of its own, in a folder of its own. Nobody sweeps its store. */
export const serveCarnet = async ({ env, workers = 1, nodeOptions }: ServeOptions): Promise<RunningCarnet> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-bench-'));
  const logFile = join(folder, 'log');
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
    nodeOptions,
    logFile,
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
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
