import { randomBytes } from 'node:crypto';
import { limits } from './limits.ts';
import type { Locks } from './locks.ts';
import type { TransactionOptions } from './protocol.ts';
import { refuse } from './refusal.ts';
import type { Version } from './store.ts';

/** `pessimistic` is the default of Firestore in Datastore mode. */
export type Concurrency = 'pessimistic' | 'optimistic';

export interface Transaction {
  readonly id: Buffer;
  readonly isReadOnly: boolean;
  /** The version that its reads see; undefined while it reads the newest state, under locks. */
  readonly snapshot: Version | undefined;
  /** The entities read, and the versions seen: 0 where there was none. */
  readonly lookups: Map<string, Version>;
  /** Each answers whether a query would have the same results in the newest state. */
  readonly queries: (() => boolean)[];
}

export interface Transactions {
  begin(options: TransactionOptions | null | undefined): Transaction;
  /** @throws {Refusal} for one that was never begun, or is over. */
  find(id: Buffer | undefined): Transaction;
  end(transaction: Transaction): void;
  /** The version that the oldest transaction reads; Infinity if none reads the past. */
  oldestSnapshot(): Version;
  close(): void;
}

interface Running {
  readonly transaction: Transaction;
  readonly begunAt: number;
  usedAt: number;
}

export interface TransactionOptionsOfServer {
  readonly concurrency: Concurrency;
  readonly maxSeconds?: number | undefined;
  readonly maxIdleSeconds?: number | undefined;
}

const readMode = (options: TransactionOptions | null | undefined): boolean => {
  if (options?.readOnly?.readTime) refuse('UNIMPLEMENTED', 'This server does not read the past: read_time is set.');
  return options?.mode === 'readOnly';
};

interface Parts {
  readonly options: TransactionOptionsOfServer;
  readonly locks: Locks;
  nextVersion(): Version;
}

export const createTransactions = ({ options, locks, nextVersion }: Parts): Transactions => {
  const { concurrency, maxSeconds = limits.maxTransactionSeconds, maxIdleSeconds = limits.maxIdleSeconds } = options;
  const running = new Map<string, Running>();
  const nameOf = (id: Buffer) => id.toString('base64');

  const end = (transaction: Transaction) => {
    running.delete(nameOf(transaction.id));
    locks.release(transaction);
  };
  const expire = () => {
    const now = Date.now();
    for (const { transaction, begunAt, usedAt } of running.values()) {
      if (now - begunAt > maxSeconds * 1_000 || now - usedAt > maxIdleSeconds * 1_000) end(transaction);
    }
  };
  const timer = setInterval(expire, 250).unref();

  return {
    begin(requested) {
      const isReadOnly = readMode(requested);
      const transaction: Transaction = {
        id: randomBytes(16),
        isReadOnly,
        snapshot: isReadOnly || concurrency === 'optimistic' ? nextVersion() : undefined,
        lookups: new Map(),
        queries: [],
      };
      const now = Date.now();
      running.set(nameOf(transaction.id), { transaction, begunAt: now, usedAt: now });
      return transaction;
    },
    find(id) {
      expire();
      const found = running.get(nameOf(id ?? Buffer.alloc(0)));
      if (found === undefined) {
        return refuse('INVALID_ARGUMENT', 'The referenced transaction has expired or is no longer valid.');
      }
      found.usedAt = Date.now();
      return found.transaction;
    },
    end,
    oldestSnapshot: () =>
      [...running.values()].reduce(
        (oldest, { transaction }) => Math.min(oldest, transaction.snapshot ?? Infinity),
        Infinity,
      ),
    close: () => clearInterval(timer),
  };
};
