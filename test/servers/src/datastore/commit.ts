import { entityBytes } from './entities.ts';
import { keyBytes } from './keys.ts';
import { limits } from './limits.ts';
import { contention, type Locks } from './locks.ts';
import { type MutationResult, mutate, type Operation, type Prepared, prepare } from './mutate.ts';
import type { CommitRequest, DatabaseRequest, Key } from './protocol.ts';
import { Refusal, refuse } from './refusal.ts';
import { type Change, type Store, type Stored, toTimestamp, type Version } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface CommitParts {
  readonly store: Store;
  readonly locks: Locks;
  readonly transactions: Transactions;
  readonly maxMutations: number;
  /** Whether a key is stored or reserved. */
  isTaken(key: Key): boolean;
  /** Makes a commit durable before it is applied. */
  record(changes: readonly Change[], version: Version): void;
}

/** Sequences on one entity that the API forbids in a transactional commit. */
const forbidden = new Set(['insert insert', 'update insert', 'upsert insert', 'delete update']);

const checkSequences = (prepared: readonly Prepared[], isTransactional: boolean): void => {
  const before = new Map<string, Operation>();
  for (const { id, operation, mutation } of prepared) {
    const earlier = before.get(id);
    if (earlier !== undefined && !isTransactional) {
      refuse(
        'INVALID_ARGUMENT',
        'A non-transactional commit may not contain multiple mutations affecting the same entity.',
      );
    }
    if (earlier !== undefined && forbidden.has(`${earlier} ${operation}`)) {
      refuse('INVALID_ARGUMENT', `A commit may not ${operation} an entity after its ${earlier}.`);
    }
    if (earlier !== undefined && mutation.conflictDetectionStrategy !== undefined) {
      refuse('UNIMPLEMENTED', 'This server detects conflicts of the first mutation of an entity only.');
    }
    before.set(id, operation);
  }
};

const checkSize = (prepared: readonly Prepared[], maxMutations: number): void => {
  if (prepared.length > maxMutations) {
    refuse('INVALID_ARGUMENT', `cannot write more than ${maxMutations} entities in a single call`);
  }
  const bytes = prepared.reduce((sum, { key, entity }) => sum + (entity ? entityBytes(key, entity) : keyBytes(key)), 0);
  if (bytes > limits.maxTransactionBytes) refuse('INVALID_ARGUMENT', 'datastore transaction or write too big.');
};

/** The transaction of a commit: undefined for one that begins and ends with the request. */
const findTransaction = (request: CommitRequest, transactions: Transactions): Transaction | undefined => {
  if (request.mode === 'NON_TRANSACTIONAL') {
    if (request.transactionSelector) refuse('INVALID_ARGUMENT', 'A non-transactional commit names a transaction.');
    return undefined;
  }
  switch (request.transactionSelector) {
    case 'transaction':
      return transactions.find(request.transaction);
    case 'singleUseTransaction':
      if (request.singleUseTransaction?.mode === 'readOnly') {
        refuse('INVALID_ARGUMENT', 'A single-use transaction must be read-write.');
      }
      return undefined;
    default:
      return refuse('INVALID_ARGUMENT', 'A transactional commit names no transaction.');
  }
};

/** Serializability: what the transaction has read must be the newest state still. */
const checkReads = ({ lookups, queries }: Transaction, store: Store): void => {
  const looked = [...lookups].every(([id, version]) => (store.read(id)?.version ?? 0) === version);
  if (!looked || !queries.every((isSame) => isSame())) refuse('ABORTED', contention);
};

interface Application {
  readonly results: readonly MutationResult[];
  readonly indexUpdates: number;
}

/** Applies mutations as one: all or none. */
const applyTogether = (
  prepared: readonly Prepared[],
  { store, record }: CommitParts,
  at: { readonly version: Version; readonly request: DatabaseRequest },
): Application => {
  const staged = new Map<string, { readonly stored: Stored | undefined; readonly change: Change | undefined }>();
  const results = prepared.map((mutation) => {
    const { id, key } = mutation;
    const earlier = staged.get(id);
    const current = earlier ? earlier.stored : store.read(id);
    const { changed, after, result } = mutate(mutation, current, at);
    staged.set(id, { stored: after, change: changed ? { key, entity: after?.entity } : earlier?.change });
    return result;
  });
  const changes = [...staged.values()].flatMap(({ change }) => change ?? []);
  if (changes.length === 0) return { results, indexUpdates: 0 };
  record(changes, at.version);
  return { results, indexUpdates: store.apply(changes, at.version) };
};

/** Each mutation for itself: those after a refused one are applied nevertheless. The first refusal is the answer. */
const applyApart = (prepared: readonly Prepared[], parts: CommitParts, request: DatabaseRequest): Application => {
  const refusals: Refusal[] = [];
  const applied = prepared.flatMap((mutation) => {
    try {
      return applyTogether([mutation], parts, { version: parts.store.nextVersion(), request });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
      return [];
    }
  });
  if (refusals[0]) throw refusals[0];
  return {
    results: applied.flatMap(({ results }) => results),
    indexUpdates: applied.reduce((sum, { indexUpdates }) => sum + indexUpdates, 0),
  };
};

const toResponse = ({ results, indexUpdates }: Application, version?: Version) => ({
  mutationResults: results,
  indexUpdates,
  ...(version !== undefined && { commitTime: toTimestamp(version) }),
});

const run = async (request: CommitRequest, transaction: Transaction | undefined, parts: CommitParts) => {
  const { store, locks } = parts;
  const isTransactional = request.mode !== 'NON_TRANSACTIONAL';
  const prepared = request.mutations.map((mutation) => prepare(mutation, request, parts.isTaken));
  checkSize(prepared, parts.maxMutations);
  checkSequences(prepared, isTransactional);
  if (transaction?.isReadOnly && prepared.length > 0) {
    refuse('INVALID_ARGUMENT', 'Cannot modify entities in a read-only transaction.');
  }
  const ids = prepared.map(({ id }) => id);
  return locks.whenFree(ids, transaction, () => {
    if (!isTransactional) return toResponse(applyApart(prepared, parts, request));
    if (transaction && !transaction.isReadOnly) {
      // It may have expired while it waited; then others were free to write what it had read.
      parts.transactions.find(transaction.id);
      checkReads(transaction, store);
    }
    const version = store.nextVersion();
    return toResponse(applyTogether(prepared, parts, { version, request }), version);
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
