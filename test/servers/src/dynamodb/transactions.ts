import { type Bound, checkBound, parseCondition, parseUpdate } from './expressions.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Store } from './store.ts';
import { type Units, writeUnitsOf } from './units.ts';
import { checkItem, checkKey, type Item, isTooLarge } from './values.ts';

const keyNames = ['pk', 'sk'];
const mostActions = 100;

export interface ItemAction extends Bound {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

export type TransactItem = Readonly<Partial<Record<Kind, ItemAction>>>;

interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

const keyOf = ({ Key, Item: item = {} }: ItemAction): Item => Key ?? item;

/** The item of an action, as it is stored. */
const storedFor = (action: ItemAction, store: Store): Item | undefined => store.get(action.TableName, keyOf(action));

/** The same for one item in one table. */
export const placeOf = (action: ItemAction): string => {
  const key = keyOf(action);
  checkKey(key, keyNames);
  return JSON.stringify([action.TableName, key.pk?.S, key.sk?.S]);
};

export const actionsIn = (items: readonly TransactItem[]): readonly (readonly [Kind, ItemAction])[] =>
  items.map((item) => {
    const [entry, ...others] = Object.entries(item) as [Kind, ItemAction][];
    if (entry === undefined || others.length > 0)
      return refuse('TransactItems can only contain one of Check, Put, Update or Delete');
    return entry;
  });

/** What an action makes of the stored item. Undefined: none. */
const changeOf = ([kind, action]: readonly [Kind, ItemAction], stored: Item | undefined): Item | undefined => {
  if (kind === 'Put') return action.Item;
  if (kind === 'Delete') return undefined;
  const update = parseUpdate(action.UpdateExpression ?? '', action, keyNames);
  return update(stored ?? action.Key ?? {});
};

/** Writes one item; a reason if its condition does not hold. */
const test = (action: ItemAction, stored: Item | undefined): Reason => {
  if (parseCondition(action.ConditionExpression, action)(stored ?? {})) return { Code: 'None' };
  return {
    Code: 'ConditionalCheckFailed',
    Message: 'The conditional request failed',
    ...(action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && stored && { Item: stored }),
  };
};

const check = ([kind, action]: readonly [Kind, ItemAction], store: Store): void => {
  store.table(action.TableName);
  checkBound(action);
  checkKey(keyOf(action), keyNames);
  if (action.Key && Object.keys(action.Key).length !== keyNames.length)
    refuse('The provided key element does not match the schema');
  if (kind === 'Put') checkItem(action.Item ?? {});
  if (kind === 'ConditionCheck' && action.ConditionExpression === undefined)
    refuse('The expression can not be empty; ConditionExpression');
};

const carryOut = (entry: readonly [Kind, ItemAction], store: Store): number => {
  const [kind, action] = entry;
  const stored = storedFor(action, store);
  if (kind === 'ConditionCheck') return writeUnitsOf(stored);
  const changed = changeOf(entry, stored);
  if (changed === undefined) store.remove(action.TableName, keyOf(action));
  else {
    checkItem(changed);
    store.set(action.TableName, changed);
  }
  return writeUnitsOf(stored, changed);
};

export const checkTransaction = (entries: ReturnType<typeof actionsIn>, store: Store): void => {
  if (entries.length === 0 || entries.length > mostActions)
    refuse('Member must have length less than or equal to 100, and greater than or equal to 1');
  for (const entry of entries) check(entry, store);
  const places = entries.map(([, action]) => placeOf(action));
  if (new Set(places).size !== places.length)
    refuse('Transaction request cannot include multiple operations on one item');
};

const cancel = (reasons: readonly Reason[]): never => {
  throw new Refusal('TransactionCanceledException', 'Transaction cancelled', { CancellationReasons: reasons });
};

/** Actions in conflict with a transaction that is under way. */
export const cancelForConflict = (count: number): never =>
  cancel(Array.from({ length: count }, () => ({ Code: 'TransactionConflict' })));

/** All actions or none. */
export const carryOutAll = (entries: ReturnType<typeof actionsIn>, store: Store, units: Units): void =>
  store.transaction(() => {
    const reasons = entries.map(([, action]) => test(action, storedFor(action, store)));
    if (reasons.some(({ Code }) => Code !== 'None')) {
      // A condition that does not hold costs as much as the write of the stored item.
      for (const [, action] of entries) units.writeUnits += 2 * writeUnitsOf(storedFor(action, store));
      cancel(reasons);
    }
    for (const entry of entries) {
      const [kind, action] = entry;
      if (kind === 'Update' && isTooLarge(changeOf(entry, storedFor(action, store)) ?? {}))
        cancel(entries.map((each) => ({ Code: each === entry ? 'ValidationError' : 'None' })));
      units.writeUnits += 2 * carryOut(entry, store);
    }
  });

/** One action that is no transaction. */
export const carryOutOne = (kind: 'Put' | 'Delete', action: ItemAction, store: Store, units: Units): void =>
  store.transaction(() => {
    check([kind, action], store);
    const { Code } = test(action, storedFor(action, store));
    if (Code !== 'None') throw new Refusal('ConditionalCheckFailedException', 'The conditional request failed');
    units.writeUnits += carryOut([kind, action], store);
  });
