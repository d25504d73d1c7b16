import { entityBytes } from './entities.ts';
import { readKey } from './keys.ts';
import { limits } from './limits.ts';
import type { Locks } from './locks.ts';
import { encodeKey } from './order.ts';
import type { Entity, Key, LookupRequest, PropertyMask } from './protocol.ts';
import { openReading } from './read-options.ts';
import { refuse } from './refusal.ts';
import { type Store, type Stored, toTimestamp } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface LookupParts {
  readonly store: Store;
  readonly locks: Locks;
  readonly transactions: Transactions;
  /** The size of an answer, in bytes, from which on further keys are deferred. */
  readonly maxLookupBytes: number;
}

const maskEntity = (entity: Entity, mask: PropertyMask | null): Entity => {
  if (!mask) return entity;
  if (mask.paths.some((path) => path === '' || /[.\\]/.test(path))) {
    refuse('UNIMPLEMENTED', 'This server has masks of whole properties only.');
  }
  const kept = Object.entries(entity.properties).filter(([name]) => mask.paths.includes(name));
  return { key: entity.key, properties: Object.fromEntries(kept) };
};

export const toEntityResult = (stored: Stored, mask: PropertyMask | null) => ({
  entity: maskEntity(stored.entity, mask),
  version: `${stored.version}`,
  createTime: toTimestamp(stored.createdAt),
  updateTime: toTimestamp(stored.version),
});

const readEntity = (id: string, transaction: Transaction | undefined, { store, locks }: LookupParts) => {
  const stored = store.read(id, transaction?.snapshot);
  if (transaction && !transaction.isReadOnly) {
    transaction.lookups.set(id, stored?.version ?? 0);
    if (transaction.snapshot === undefined) locks.share(id, transaction);
  }
  return stored;
};

/** A key that is named twice is answered once. */
const checkKeys = (request: LookupRequest): Key[] => {
  if (request.keys.length > limits.maxLookupKeys) {
    refuse('INVALID_ARGUMENT', `cannot get more than ${limits.maxLookupKeys} keys in a single call`);
  }
  const keys = request.keys.map((key) => readKey(key, request, 'complete'));
  return [...new Map(keys.map((key) => [encodeKey(key), key])).values()];
};

export const lookup = (request: LookupRequest, parts: LookupParts) => {
  const keys = checkKeys(request);
  const { transaction, begun, isEventual } = openReading(request.readOptions, parts.transactions);
  const version = parts.store.nextVersion();
  const found: ReturnType<typeof toEntityResult>[] = [];
  const missing: object[] = [];
  let bytes = 0;
  let taken = 0;
  for (const key of keys) {
    // At least one, so that the client gets on.
    if (bytes >= parts.maxLookupBytes) break;
    taken += 1;
    const stored = readEntity(encodeKey(key), transaction, parts);
    if (stored === undefined) {
      missing.push({
        entity: { key, properties: {} },
        version: isEventual ? '0' : `${transaction?.snapshot ?? version}`,
      });
    } else {
      bytes += entityBytes(key, stored.entity);
      found.push(toEntityResult(stored, request.propertyMask));
    }
  }
  return {
    found,
    missing,
    deferred: keys.slice(taken),
    ...(begun && { transaction: begun }),
    readTime: toTimestamp(transaction?.snapshot ?? version),
  };
};
