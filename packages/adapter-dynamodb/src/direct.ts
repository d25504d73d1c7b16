import { keyOfWrite, type RecordKey, type RecordWrite, type StoredRecord, type Write } from '@carnet/adapter-contract';
import { nameOfRecord } from '@carnet/adapter-contract/kit';
import { type Action, checkItem, deleteItem, putItem, updateItem } from './action.ts';
import { allOf, isAbsentAt, isLiveAt, isRevoked, isUnusedAt } from './expression.ts';
import { type Epochs, headAction, isInHead } from './head.ts';
import { type Encoding, expiryOf, instant, number, toHead, toItem, toPointer } from './item.ts';
import { itemKeyOf, mayHavePointer, pointerKeyOf } from './keys.ts';
import type { Attributes } from './wire.ts';

/** A commit whose writes each are one action, with a condition that DynamoDB checks. */
export interface Plan {
  readonly table: string;
  readonly encoding: Encoding;
  readonly epochs: Epochs;
}

/** A write of a record with a pointer takes the record's subject, which a key has not. */
const needsSubject = (write: Write): boolean => {
  if (write.type === 'remove') return mayHavePointer(write.key);
  return write.type === 'merge' && write.expiresAt !== undefined && mayHavePointer(write.key);
};

const isAddition = (write: Write): boolean =>
  write.type === 'claim' || (write.type === 'put' && write.onlyIfPresent !== true);

/** Whether each revocation is before the other writes of its grant, and none of them depends on a record. */
const areRevocationsFirst = (writes: readonly Write[]): boolean => {
  const met = new Set<string>();
  const revoked = new Set<string>();
  for (const write of writes) {
    const grantId = write.type === 'revoke' ? write.grantId : keyOfWrite(write).grantId;
    if (grantId === undefined) continue;
    if (write.type === 'revoke' ? met.has(grantId) : revoked.has(grantId) && !isAddition(write)) return false;
    met.add(grantId);
    if (write.type === 'revoke') revoked.add(grantId);
  }
  return true;
};

/** Whether no write depends on another one of the commit, or on what is stored beyond a condition. */
export const isDirect = (writes: readonly Write[]): boolean => {
  const names = writes.flatMap((write) => (write.type === 'revoke' ? [] : [nameOfRecord(keyOfWrite(write))]));
  return new Set(names).size === names.length && !writes.some(needsSubject) && areRevocationsFirst(writes);
};

/** A record in a plan. */
interface Place {
  readonly key: RecordKey;
  /** The number of revocations of its grant before the commit. */
  readonly before: number;
  /** The same, after the commit. */
  readonly epoch: number;
}

const optionsOf = ({ table, encoding }: Plan, place: Place, condition: string | undefined, more: Attributes = {}) => ({
  table,
  condition: isInHead(place.key) ? allOf(condition, isRevoked(place.before)) : condition,
  values: {
    now: number(encoding.now),
    epoch: number(place.epoch),
    revoked: number(place.before),
    version: { S: encoding.version },
    ...more,
  },
});

const addRecord = (record: StoredRecord, condition: string | undefined, place: Place, plan: Plan) => {
  const found = { ...record, consumedAt: null, members: [] };
  const toStored = isInHead(record) ? toHead : toItem;
  return putItem(toStored(found, place.epoch, plan.encoding), optionsOf(plan, place, condition));
};

/** A record in a head of a revoked grant: the head has to outlive it. */
const updateRecord = (place: Place, sets: readonly string[], add: string, more: Attributes, plan: Plan) => {
  const keep = isInHead(place.key) && place.epoch > 0 ? ' REMOVE #ttl' : '';
  const update = `SET ${['#version = :version', ...sets].join(', ')}${add}${keep}`;
  return updateItem(itemKeyOf(place.key), update, optionsOf(plan, place, isUnusedAt(place.epoch), more));
};

type MergeWrite = Extract<Write, { type: 'merge' }>;

const mergeRecord = ({ key, members, expiresAt }: MergeWrite, place: Place, plan: Plan) => {
  if (members.length === 0 && expiresAt === undefined && !(isInHead(key) && place.epoch > 0)) {
    return checkItem(itemKeyOf(key), { ...optionsOf(plan, place, undefined), condition: checkOf(place) });
  }
  const expiry = expiresAt === undefined ? {} : expiryOf({ id: key.id, expiresAt }, plan.encoding);
  const sets = Object.keys(expiry).map((name) => `#${name} = :${name}`);
  const isAdding = members.length > 0;
  const more = { ...expiry, ...(isAdding && { members: { SS: [...new Set(members)] } }) };
  return updateRecord(place, sets, isAdding ? ' ADD #members :members' : '', more, plan);
};

const checkOf = ({ key, before, epoch }: Place): string =>
  isInHead(key) ? allOf(isUnusedAt(epoch), isRevoked(before)) : isUnusedAt(epoch);

const actOn = (write: RecordWrite, place: Place, isFresh: boolean, plan: Plan) => {
  switch (write.type) {
    case 'put':
      return addRecord(write.record, write.onlyIfPresent ? isLiveAt(place.epoch) : undefined, place, plan);
    case 'claim':
      return addRecord(write.record, isFresh ? undefined : isAbsentAt(place.epoch), place, plan);
    case 'remove':
      return deleteItem(itemKeyOf(write.key), optionsOf(plan, place, undefined));
    case 'consume':
      return updateRecord(place, ['#used = :at'], '', { at: instant(write.at) }, plan);
    case 'merge':
      return mergeRecord(write, place, plan);
  }
};

const pointerAction = (write: RecordWrite, { table, encoding }: Plan): readonly Action[] => {
  const key = 'record' in write ? pointerKeyOf(write.record) : undefined;
  if (key === undefined || !('record' in write)) return [];
  return [{ item: putItem(toPointer(key, write.record, encoding), { table, values: {} }) }];
};

/** A removal is the same whether its grant was revoked or not. */
const isBound = (write: Write): boolean => write.type !== 'remove';

/** One action for each write, each pointer and each head. */
export const planDirect = (writes: readonly Write[], plan: Plan): readonly Action[] => {
  const ofRecords = writes.filter((write) => write.type !== 'revoke');
  const revoked = new Set(writes.flatMap((write) => (write.type === 'revoke' ? [write.grantId] : [])));
  const epochBefore = (grantId: string | undefined) => (grantId === undefined ? 0 : (plan.epochs.get(grantId) ?? 0));
  const actions = ofRecords.flatMap((write): readonly Action[] => {
    const key = keyOfWrite(write);
    const before = epochBefore(key.grantId);
    const isFresh = key.grantId !== undefined && revoked.has(key.grantId);
    const place = { key, before, epoch: isFresh ? before + 1 : before };
    const item = actOn(write, place, isFresh, plan);
    const grantOfHead = isInHead(key) ? key.grantId : undefined;
    return [{ item, write, grantOfHead, epoch: before }, ...pointerAction(write, plan)];
  });
  const bound = new Set(ofRecords.filter(isBound).flatMap((write) => keyOfWrite(write).grantId ?? []));
  const inHeads = new Set(
    ofRecords
      .map((write) => keyOfWrite(write))
      .filter(isInHead)
      .map(({ grantId }) => grantId),
  );
  const heads = [...new Set([...bound, ...revoked])]
    .filter((grantId) => !inHeads.has(grantId))
    .map((grantId) => ({
      grantId,
      epoch: epochBefore(grantId),
      isRevoked: revoked.has(grantId),
      isBound: bound.has(grantId),
    }));
  return [...actions, ...heads.map((grant) => headAction(grant, plan.table, plan.encoding))];
};
