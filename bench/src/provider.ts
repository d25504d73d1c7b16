import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Target } from './login.ts';

const carnet = fileURLToPath(new URL('../../packages/provider/src/cli/main.ts', import.meta.url));

/** Runs a `carnet` command with nothing of this process's environment. */
export const startCarnet = (args: readonly string[], env: Record<string, string>, cwd?: string): ChildProcess =>
  spawn(process.execPath, ['--conditions=source', '--disable-warning=ExperimentalWarning', carnet, ...args], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

export interface RunningProvider extends Target {
  stop(): Promise<void>;
}

/** `carnet serve` on ports of its own, with a store that is migrated and that nobody sweeps. */
export const startProvider = async (databaseUrl: string): Promise<RunningProvider> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-bench-'));
  const issuer = 'http://127.0.0.1:4444';
  const child = startCarnet(
    ['serve', '--dev'],
    {
      ISSUER: issuer,
      ALLOWED_HOSTS: '127.0.0.1:*',
      PORT: '0',
      ADMIN_PORT: '0',
      DATABASE_URL: databaseUrl,
      STORAGE_SWEEP_SECONDS: '0',
      ID_TOKEN_ALG: 'ES256',
    },
    folder,
  );
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (!line.includes('"msg":"ready"')) continue;
    const { publicUrl, adminUrl } = JSON.parse(line) as Target;
    child.stdout?.resume();
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    };
    return { publicUrl, adminUrl, stop };
  }
  throw new Error('the provider ended before it was ready');
};
