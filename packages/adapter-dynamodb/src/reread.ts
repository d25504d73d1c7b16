import type { Conflict, RecordKey, Write } from '@carnet/adapter-contract';
import { applyWrites, type Change, keysOf, nameOfRecord } from '@carnet/adapter-contract/kit';
import { type Action, deleteItem, ofVersion, putItem } from './action.ts';
import type { CallContext } from './call-context.ts';
import { headAction, isInHead } from './head.ts';
import { type Encoding, epochOf, toFound, toHead, toItem, tombstone, toPointer } from './item.ts';
import { headKeyOf, itemKeyOf, nameOf, pointerKeyOf } from './keys.ts';
import { headIn, type Items, itemKeysFor, lookUp } from './lookup.ts';
import { findLive } from './read.ts';
import type { TransactItem } from './wire.ts';

interface Reread {
  readonly items: Items;
  readonly table: string;
  readonly encoding: Encoding;
  readonly revoked: ReadonlySet<string>;
}

/** The number of revocations after the commit. */
const epochAfter = (grantId: string | undefined, { items, revoked }: Reread): number =>
  grantId === undefined ? 0 : epochOf(headIn(items, grantId)) + (revoked.has(grantId) ? 1 : 0);

/** The new item of a record. Undefined if nothing is stored, or to be stored. */
const changeItem = ({ key, record }: Change, reread: Reread): TransactItem | undefined => {
  const { items, table, encoding } = reread;
  const itemKey = itemKeyOf(key);
  const stored = items.get(nameOf(itemKey));
  const options = ofVersion(stored, table);
  const epoch = epochAfter(key.grantId, reread);
  if (record !== undefined) return putItem((isInHead(key) ? toHead : toItem)(record, epoch, encoding), options);
  if (isInHead(key) && epoch > 0) return putItem(tombstone(itemKey, epoch, encoding), options);
  return stored && deleteItem(itemKey, options);
};

/** The pointer that the record had, and the one that it gets. */
const pointerActions = ({ key, record }: Change, { items, table, encoding }: Reread): readonly TransactItem[] => {
  const stored = items.get(nameOf(itemKeyOf(key)));
  const former = stored && toFound(key, stored);
  const [from, to] = [former && pointerKeyOf(former), record && pointerKeyOf(record)];
  const options = { table, values: {} };
  const isMoved = from && (to === undefined || nameOf(from) !== nameOf(to));
  return [
    ...(isMoved ? [deleteItem(from, options)] : []),
    ...(to && record ? [putItem(toPointer(to, record, encoding), options)] : []),
  ];
};

const changeActions = (change: Change, reread: Reread): readonly Action[] => {
  const ofRecord = changeItem(change, reread);
  return [...(ofRecord ? [ofRecord] : []), ...pointerActions(change, reread)].map((item) => ({ item }));
};

const headActions = (changes: readonly Change[], reread: Reread): readonly Action[] => {
  const { items, table, encoding, revoked } = reread;
  const inHeads = new Set(
    changes.filter((change) => isInHead(change.key) && changeItem(change, reread)).map(({ key }) => key.grantId),
  );
  const grants = new Set([...changes.flatMap(({ key }) => key.grantId ?? []), ...revoked]);
  return [...grants]
    .filter((grantId) => !inHeads.has(grantId))
    .map((grantId) => {
      const epoch = epochOf(headIn(items, grantId));
      return headAction({ grantId, epoch, isRevoked: revoked.has(grantId), isBound: true }, table, encoding);
    });
};

const recordsIn = (keys: readonly RecordKey[], items: Items, now: number) =>
  new Map(
    keys.flatMap((key) => {
      const record = findLive(key, items, now);
      return record === undefined ? [] : [[nameOfRecord(key), record] as const];
    }),
  );

/**
 * Reads what a commit depends on, and returns its net effect, or its conflict. Each action is bound to the version that was
 * read: after a change in between, the commit is planned again.
 */
export const planFromStored = async (
  writes: readonly Write[],
  context: CallContext,
  encoding: Encoding,
): Promise<readonly Action[] | Conflict> => {
  const revoked = new Set(writes.flatMap((write) => (write.type === 'revoke' ? [write.grantId] : [])));
  const keys = keysOf(writes);
  const items = await lookUp([...itemKeysFor(keys), ...[...revoked].map(headKeyOf)], context);
  const { now } = encoding;
  const outcome = applyWrites(writes, { now, records: recordsIn(keys, items, now), ofRevokedGrants: keys });
  if (!('length' in outcome)) return outcome;
  const reread: Reread = { items, table: context.table, encoding, revoked };
  return [...outcome.flatMap((change) => changeActions(change, reread)), ...headActions(outcome, reread)];
};
