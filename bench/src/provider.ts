import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Target } from './login.ts';

const carnet = fileURLToPath(new URL('../../packages/provider/src/cli/main.ts', import.meta.url));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Runs a `carnet` command with nothing of this process's environment; it ends with this process. */
export const startCarnet = (args: readonly string[], env: Record<string, string>, cwd?: string): ChildProcess => {
  const argv = ['--conditions=source', '--disable-warning=ExperimentalWarning', carnet, ...args];
  const child = spawn(process.execPath, argv, { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};

export interface RunningProvider extends Target {
  stop(): Promise<void>;
}

/** `carnet serve` on ports of its own, with a store that is migrated and that nobody sweeps. */
export const startProvider = async (databaseUrl: string): Promise<RunningProvider> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-bench-'));
  const port = await freePort();
  const child = startCarnet(
    ['serve', '--dev'],
    {
      ISSUER: `http://127.0.0.1:${port}`,
      PORT: String(port),
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
