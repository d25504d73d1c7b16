import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis } from '@carnet/test-servers';

export const storeNames = ['memory', 'sqlite', 'postgres', 'redis'] as const;
export type StoreName = (typeof storeNames)[number];

export interface RunningStore {
  readonly url: string;
  readonly processIds: readonly number[];
  /** What decides about durability, for the report. */
  readonly durability: string;
  stop(): Promise<void>;
}

const sqlite = async (): Promise<RunningStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-bench-sqlite-'));
  const stop = async () => rmSync(folder, { recursive: true, force: true });
  return { url: `sqlite:${join(folder, 'carnet.db')}`, processIds: [], durability: 'WAL, synchronous=full', stop };
};

const postgres = async (): Promise<RunningStore> => {
  const server = await startPostgres({
    settings: { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '256MB' },
  });
  return {
    url: await server.createDatabase(),
    processIds: [server.pid],
    durability: 'fsync=on, synchronous_commit=on',
    stop: () => server.close(),
  };
};

const redis = async (): Promise<RunningStore> => {
  const server = await startRedis();
  return { url: server.url, processIds: [server.pid], durability: 'appendfsync always', stop: () => server.close() };
};

const starts: Readonly<Record<StoreName, () => Promise<RunningStore>>> = {
  memory: async () => ({ url: 'memory:', processIds: [], durability: 'none', stop: async () => {} }),
  sqlite,
  postgres,
  redis,
};

/** A store of its own, with the durability that it has in production. */
export const startStore = (name: StoreName): Promise<RunningStore> => starts[name]();
