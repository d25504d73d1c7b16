import { checkEntity, checkKey, idOf } from './entities.ts';
import type { Locks } from './locks.ts';
import type { CommitRequest, Mutation } from './protocol.ts';
import { refuse } from './refusal.ts';
import type { Change, Store } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface CommitParts {
  readonly store: Store;
  readonly locks: Locks;
  readonly transactions: Transactions;
}

interface Prepared extends Change {
  readonly id: string;
  readonly isInsert: boolean;
}

const prepare = (mutation: Mutation, request: CommitRequest): Prepared => {
  const { operation = 'none', insert, upsert } = mutation;
  if (!['insert', 'upsert', 'delete'].includes(operation)) refuse('UNIMPLEMENTED', `This server has no ${operation}.`);
  const entity = insert ?? upsert;
  const given = entity?.key ?? mutation.delete;
  const key = checkKey(given ?? refuse('INVALID_ARGUMENT', 'The mutation has no key.'), request);
  return { id: idOf(key), key, entity, bytes: entity ? checkEntity(entity) : 0, isInsert: operation === 'insert' };
};

/** The transaction of a commit: undefined for one that begins and ends with the request. */
const findTransaction = (request: CommitRequest, transactions: Transactions): Transaction | undefined => {
  if (request.mode !== 'TRANSACTIONAL') refuse('UNIMPLEMENTED', 'This server has transactional commits.');
  if (request.transactionSelector === 'transaction') return transactions.find(request.transaction);
  if (request.transactionSelector === 'singleUseTransaction') return undefined;
  return refuse('INVALID_ARGUMENT', 'A transactional commit names no transaction.');
};

const run = (
  request: CommitRequest,
  transaction: Transaction | undefined,
  { store, locks, transactions }: CommitParts,
) => {
  const prepared = request.mutations.map((mutation) => prepare(mutation, request));
  const ids = prepared.map(({ id }) => id);
  if (new Set(ids).size < ids.length) refuse('UNIMPLEMENTED', 'This server has one mutation of an entity in a commit.');
  return locks.whenFree(ids, transaction, () => {
    if (transaction) {
      // It may have ended while the commit waited: then others were free to write what it had read.
      transactions.find(transaction.id);
      transactions.check(transaction);
    }
    const existing = prepared.find(({ id, isInsert }) => isInsert && store.read(id) !== undefined);
    if (existing) refuse('ALREADY_EXISTS', 'entity already exists.');
    if (prepared.length > 0) store.apply(prepared.map(({ key, entity, bytes }) => ({ key, entity, bytes })));
    return { mutationResults: prepared.map(() => ({})) };
  });
};

/** A transaction is over after its commit, whatever the answer. */
export const commit = async (request: CommitRequest, parts: CommitParts) => {
  const transaction = findTransaction(request, parts.transactions);
  try {
    return await run(request, transaction, parts);
  } finally {
    if (transaction) parts.transactions.end(transaction);
  }
};
