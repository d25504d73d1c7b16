import type { FoundRecord, RecordKey, Write } from '@carnet/adapter-contract';
import { deadlineIn, keysOf } from '@carnet/adapter-contract/kit';
import type { CallContext } from './call-context.ts';
import { commitIdOf, toFound } from './entity.ts';
import { parseKey } from './keys.ts';
import { distinct, lookUp } from './lookup.ts';
import { filterOf, keysOnly, recordsWhere, runQuery } from './run-query.ts';
import type { ReadOptions } from './wire.ts';

const rollBackMs = 2_000;

/** A transaction of the service, and everything that it has read. */
export interface Transaction {
  readonly id: Uint8Array;
  /** By name; expired ones included. */
  readonly records: ReadonlyMap<string, FoundRecord>;
  readonly ofRevokedGrants: readonly RecordKey[];
  /** The commits that wrote the records. */
  readonly commitIds: ReadonlySet<string | undefined>;
}

const revokedGrants = (writes: readonly Write[]): readonly string[] => [
  ...new Set(writes.flatMap((write) => (write.type === 'revoke' ? [write.grantId] : []))),
];

/** The keys of all records of a grant. */
const findGrant = (grantId: string, context: CallContext, readOptions: ReadOptions) => {
  const ofGrant = filterOf('__key__', 'HAS_ANCESTOR', { keyValue: context.keys.grant(grantId) });
  return runQuery({ ...recordsWhere(ofGrant), ...keysOnly }, context, readOptions);
};

/** Ends a transaction that changes nothing, so that others need not wait for its locks. No call waits for the answer. */
export const rollBack = ({ connection }: CallContext, transaction: Uint8Array): void => {
  connection.call('rollback', { transaction }, deadlineIn(rollBackMs)).catch(() => undefined);
};

/** The keys of all records of the revoked grants, read in the transaction, or in one that begins with the first query. */
const findGrants = async (grantIds: readonly string[], context: CallContext, first: ReadOptions) => {
  let readOptions = first;
  const found: RecordKey[] = [];
  for (const grantId of grantIds) {
    const { results, transaction } = await findGrant(grantId, context, readOptions);
    if ('newTransaction' in readOptions) readOptions = { transaction };
    found.push(...results.map(({ entity }) => parseKey(entity.key)));
  }
  return { found, id: 'transaction' in readOptions ? readOptions.transaction : new Uint8Array() };
};

/**
 * Begins a transaction by reading all records that the writes depend on: one Lookup, and one query for each revoked
 * grant. Transactions are serializable: if one of these records, or the set of records of a grant, changes before the
 * commit, the service aborts the commit.
 */
export const beginTransaction = async (
  writes: readonly Write[],
  context: CallContext,
  previousTransaction?: Uint8Array,
): Promise<Transaction> => {
  const begin: ReadOptions = { newTransaction: { readWrite: { previousTransaction } } };
  const wanted = distinct(keysOf(writes)).map(context.keys.record);
  const { entities, transaction } = await lookUp(wanted, context, begin);
  try {
    const readOptions = wanted.length > 0 ? { transaction } : begin;
    const { found, id } = await findGrants(revokedGrants(writes), context, readOptions);
    return {
      id,
      records: new Map([...entities].map(([name, entity]) => [name, toFound(entity)])),
      ofRevokedGrants: found,
      commitIds: new Set([...entities.values()].map(commitIdOf)),
    };
  } catch (error) {
    if (transaction.length > 0) rollBack(context, transaction);
    throw error;
  }
};
