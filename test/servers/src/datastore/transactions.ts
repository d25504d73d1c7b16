import { randomBytes } from 'node:crypto';
import { contention, type Locks } from './locks.ts';
import type { ReadRequest } from './protocol.ts';
import { refuse } from './refusal.ts';
import type { Store } from './store.ts';

/** `pessimistic` is the default of Firestore in Datastore mode. */
export type Concurrency = 'pessimistic' | 'optimistic';

const idleMs = 60_000;

/** What it has read must be the newest state still when it is committed. */
export interface Transaction {
  readonly id: Buffer;
  readonly checks: (() => boolean)[];
  readonly timer: NodeJS.Timeout;
}

export interface Transactions {
  begin(): Transaction;
  /** @throws {Refusal} for one that was never begun, or is over. */
  find(id: Buffer | undefined): Transaction;
  /** The transaction of a read, and the id of one that begins with it. */
  of(request: ReadRequest): { readonly transaction?: Transaction; readonly begun?: Buffer };
  /** Notes that a transaction has read an entity, and locks it if transactions are pessimistic. */
  remember(id: string, transaction: Transaction): void;
  /** @throws {Refusal} if something that it has read was changed meanwhile. */
  check(transaction: Transaction): void;
  end(transaction: Transaction): void;
}

interface Parts {
  readonly concurrency: Concurrency;
  readonly locks: Locks;
  readonly store: Store;
}

export const createTransactions = ({ concurrency, locks, store }: Parts): Transactions => {
  const running = new Map<string, Transaction>();

  const end = (transaction: Transaction): void => {
    clearTimeout(transaction.timer);
    running.delete(transaction.id.toString('hex'));
    locks.release(transaction);
  };
  const begin = (): Transaction => {
    const timer = setTimeout(() => end(transaction), idleMs).unref();
    const transaction: Transaction = { id: randomBytes(16), checks: [], timer };
    running.set(transaction.id.toString('hex'), transaction);
    return transaction;
  };
  const find = (id: Buffer | undefined): Transaction => {
    const found = running.get(id?.toString('hex') ?? '');
    found?.timer.refresh();
    return found ?? refuse('INVALID_ARGUMENT', 'The referenced transaction has expired or is no longer valid.');
  };

  return {
    begin,
    find,
    of({ readOptions }) {
      switch (readOptions?.consistencyType) {
        case 'transaction':
          return { transaction: find(readOptions.transaction) };
        case 'newTransaction': {
          const transaction = begin();
          return { transaction, begun: transaction.id };
        }
        case 'readTime':
          return refuse('UNIMPLEMENTED', 'This server does not read the past.');
        default:
          return {};
      }
    },
    remember(id, transaction) {
      const seen = store.read(id);
      transaction.checks.push(() => store.read(id) === seen);
      if (concurrency === 'pessimistic') locks.share(id, transaction);
    },
    check({ checks }) {
      if (!checks.every((isSame) => isSame())) refuse('ABORTED', contention);
    },
    end,
  };
};
