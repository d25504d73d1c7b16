import type { RecordKey } from '@carnet/adapter-contract';
import { batchesOf } from '@carnet/adapter-contract/kit';
import type { CallContext } from './call-context.ts';
import { nameOf, parseKey } from './keys.ts';
import type { Entity, EntityKey, ReadOptions } from './wire.ts';

/** The limit of the service. */
const mostKeys = 1_000;

type LookupContext = Pick<CallContext, 'connection' | 'deadline'>;

export interface LookedUp {
  /** By the names of their records. */
  readonly entities: ReadonlyMap<string, Entity>;
  /** The transaction that the first request began, if it was asked to. */
  readonly transaction: Uint8Array;
}

/** The same keys, each once: the service refuses duplicates. */
export const distinct = <K extends RecordKey>(keys: readonly K[]): readonly K[] => [
  ...new Map(keys.map((key) => [nameOf(key), key])).values(),
];

/** Up to 1,000 keys. The service may defer some of them, which are asked for again. */
const lookUpSome = async (
  keys: readonly EntityKey[],
  { connection, deadline }: LookupContext,
  begin: ReadOptions | undefined,
): Promise<LookedUp> => {
  const entities = new Map<string, Entity>();
  let readOptions = begin;
  let transaction: Uint8Array = new Uint8Array();
  for (let missing = keys; missing.length > 0; ) {
    const response = await connection.call('lookup', { keys: missing, readOptions }, deadline);
    for (const { entity } of response.found) entities.set(nameOf(parseKey(entity.key)), entity);
    if (readOptions !== undefined && 'newTransaction' in readOptions) {
      transaction = response.transaction;
      readOptions = { transaction };
    }
    missing = response.deferred;
  }
  return { entities, transaction };
};

/** The entities of distinct keys. In a transaction that begins with it, further requests wait for the first. */
export const lookUp = async (
  keys: readonly EntityKey[],
  context: LookupContext,
  readOptions?: ReadOptions,
): Promise<LookedUp> => {
  const [first = [], ...others] = batchesOf(keys, mostKeys);
  const begins = readOptions !== undefined && 'newTransaction' in readOptions;
  const begun = begins ? await lookUpSome(first, context, readOptions) : undefined;
  const later = begun ? { transaction: begun.transaction } : readOptions;
  const rest = await Promise.all((begun ? others : [first, ...others]).map((some) => lookUpSome(some, context, later)));
  const all = begun ? [begun, ...rest] : rest;
  return {
    entities: new Map(all.flatMap(({ entities }) => [...entities])),
    transaction: begun?.transaction ?? new Uint8Array(),
  };
};
