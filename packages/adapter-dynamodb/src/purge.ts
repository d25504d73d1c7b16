import { randomBytes } from 'node:crypto';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { type Action, deleteItem, ofVersion, updateItem } from './action.ts';
import type { CallContext } from './call-context.ts';
import { epochOf, numberIn, toFound, ttlOf } from './item.ts';
import { headKeyOf, itemKeyIn, nameOf, partitionOfGrant, pointerKeyOf, recordKeyOf } from './keys.ts';
import { queryAll } from './pages.ts';
import { transact } from './transact.ts';
import type { Attributes } from './wire.ts';

const oneDay = 86_400_000;

/** The items removed at once. */
const batchSize = 25;

const isOlder = (item: Attributes, epoch: number): boolean =>
  item.payload !== undefined && numberIn(item.epoch) < epoch;

/** The removal of the pointer to a record, if it has one. */
const pointerRemoval = (item: Attributes, table: string): readonly Action[] => {
  const key = recordKeyOf(itemKeyIn(item));
  const record = key && toFound(key, item);
  const pointer = record && pointerKeyOf(record);
  return pointer ? [{ item: deleteItem(pointer, { table, values: {} }) }] : [];
};

/** Removes one record, unless it was written again since. */
const removeRecord = (item: Attributes, context: CallContext) => {
  const { table } = context;
  const removal = { item: deleteItem(itemKeyIn(item), ofVersion(item, table)) };
  return transact([removal, ...pointerRemoval(item, table)], context);
};

/** When the number of revocations is no longer needed: a day after the last record that depends on it. */
const endOf = (current: readonly Attributes[], now: number): number | undefined => {
  if (current.some(({ expires }) => expires === undefined)) return undefined;
  return Math.max(now, ...current.map(({ expires }) => numberIn(expires))) + oneDay;
};

const recordAttributes = ['payload', 'expires', 'used', 'members', 'subject', 'client', 'epoch'];

/** Removes the record of a revoked grant from its head, and lets DynamoDB remove the head when it is no longer needed. */
const endHead = async (head: Attributes, epoch: number, end: number | undefined, context: CallContext) => {
  const { table, now } = context;
  const isDead = isOlder(head, epoch);
  const removed = isDead ? ` REMOVE ${recordAttributes.map((name) => `#${name}`).join(', ')}` : '';
  const ttl = end === undefined ? '' : ', #ttl = :ttl';
  if (!isDead && ttl === '') return;
  const options = ofVersion(head, table);
  const values = {
    ...options.values,
    version: { S: randomBytes(9).toString('base64url') },
    ttl: ttlOf(new Date(end ?? 0), now()),
  };
  const update = `SET #version = :version${ttl}${removed}`;
  const item = updateItem(itemKeyIn(head), update, { ...options, values });
  await transact([{ item }, ...(isDead ? pointerRemoval(head, table) : [])], context);
};

/**
 * Frees the space of a grant's revoked records. They are absent since the revocation: no caller waits for this, and if it
 * fails, DynamoDB removes them when they expire.
 */
export const purgeGrant = async (grantId: string, context: CallContext): Promise<void> => {
  const items = await queryAll(
    {
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: partitionOfGrant(grantId) } },
      ConsistentRead: true,
    },
    context,
  );
  const headName = nameOf(headKeyOf(grantId));
  const head = items.find((item) => nameOf(itemKeyIn(item)) === headName);
  const epoch = epochOf(head);
  const others = items.filter((item) => item !== head);
  const revoked = others.filter((item) => isOlder(item, epoch));
  for (const batch of batchesOf(revoked, batchSize))
    await Promise.all(batch.map((item) => removeRecord(item, context)));
  if (head === undefined || epoch === 0 || (head.payload !== undefined && !isOlder(head, epoch))) return;
  const current = others.filter((item) => !isOlder(item, epoch));
  await endHead(head, epoch, endOf(current, context.now()), context);
};
