import { DirectoryError } from '@carnet/accounts/directory';
import type { Connection } from './connection.ts';
import { withDeadline } from './deadline.ts';
import type { Servers } from './servers.ts';

export interface SlotsOptions {
  /** The name of the directory, for errors. */
  readonly name: string;
  readonly servers: Pick<Servers, 'connect'>;
  readonly open: Parameters<Servers['connect']>[0];
  readonly size: number;
  readonly timeoutMs: number;
}

interface Kept {
  readonly connection: Connection;
  /** Milliseconds since 1970. */
  readonly idleSince: number;
}

interface Taken {
  readonly connection: Connection;
  readonly wasKept: boolean;
}

/** The right to use one of `size` connections. Callers wait in line for it. */
const createTurns = ({ name, size, timeoutMs }: SlotsOptions) => {
  const waiting: (() => void)[] = [];
  let used = 0;

  const wait = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await withDeadline(promise, timeoutMs, () => {
        if (waiting.includes(resolve)) waiting.splice(waiting.indexOf(resolve), 1);
      });
    } catch (error) {
      const message = `all ${size} connections are in use: raise poolSize, or look for a slow server`;
      throw new DirectoryError('unavailable', name, message, { cause: error });
    }
  };

  return {
    async take(): Promise<void> {
      while (used >= size) await wait();
      used += 1;
    },
    /** Takes the right without waiting, for connections that already exist. */
    add(count: number): void {
      used += count;
    },
    free(): void {
      used -= 1;
      waiting.shift()?.();
    },
  };
};

/** The connections of a pool: idle or in use. */
export const createSlots = (options: SlotsOptions) => {
  const { open, servers, size } = options;
  const turns = createTurns(options);
  const idle: Kept[] = [];
  let isClosed = false;

  const takeIdle = (): Connection | undefined => {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (kept.connection.isOpen()) return kept.connection;
      kept.connection.close();
    }
    return undefined;
  };

  return {
    /** Takes a connection. The caller gives it back or drops it. `isFresh`: a new one. */
    async take(isFresh: boolean): Promise<Taken> {
      await turns.take();
      const kept = isFresh ? undefined : takeIdle();
      if (kept !== undefined) return { connection: kept, wasKept: true };
      try {
        return { connection: await servers.connect(open), wasKept: false };
      } catch (error) {
        turns.free();
        throw error;
      }
    },
    /** Takes the idle connections that match. */
    takeWhere(matches: (kept: Kept) => boolean): readonly Connection[] {
      const taken = idle.filter(matches);
      idle.splice(0, idle.length, ...idle.filter((kept) => !taken.includes(kept)));
      turns.add(taken.length);
      return taken.map(({ connection }) => connection);
    },
    giveBack(connection: Connection): void {
      if (connection.isOpen() && idle.length < size && !isClosed) idle.push({ connection, idleSince: Date.now() });
      else connection.close();
      turns.free();
    },
    drop(connection: Connection): void {
      connection.close();
      turns.free();
    },
    close(): void {
      isClosed = true;
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
};
