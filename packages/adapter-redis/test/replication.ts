import type { RedisServer } from '@carnet/test-servers';
import { vi } from 'vitest';

/** Resolves when the replica has all that its master has: what is acknowledged is on its way there, no more is promised. */
export const replicated = (master: RedisServer): Promise<void> =>
  vi.waitFor(
    async () => {
      const info = `${await master.command('INFO', 'replication')}`;
      const [, written] = /^master_repl_offset:(\d+)/m.exec(info) ?? [];
      const [, received] = /^slave0:.*offset=(\d+)/m.exec(info) ?? [];
      if (written === undefined || received !== written) throw new Error(`Of ${written} the replica has ${received}.`);
    },
    { timeout: 10_000, interval: 20 },
  );
