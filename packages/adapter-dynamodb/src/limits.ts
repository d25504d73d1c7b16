import { type Action, isConditional } from './action.ts';
import type { Attributes, AttributeValue } from './wire.ts';

/** The limits of the service: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html. */
const mostActions = 100;
const mostBytesOfItem = 400 * 1024;
/** 4 MB, less the expressions. */
const mostBytesOfTransaction = 3_800_000;

const overheadOfMember = 3;

const sizeOfValue = ({ S, N, SS }: AttributeValue): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (SS !== undefined) return SS.reduce((sum, member) => sum + Buffer.byteLength(member) + overheadOfMember, 0);
  return N?.length ?? 0;
};

/** Bytes of an item: names and values. */
const sizeOfItem = (item: Attributes): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + sizeOfValue(value), 0);

const sizeOfAction = ({ item }: Action): number => ('Put' in item ? sizeOfItem(item.Put.Item) : 0);

/** @throws RangeError if DynamoDB would refuse an item for its size */
const assertWithinLimits = (sizes: readonly number[]): void => {
  const largest = Math.max(0, ...sizes);
  if (largest > mostBytesOfItem)
    throw new RangeError(`A record of ${largest} bytes is larger than an item of DynamoDB may be: 400 KB.`);
};

/** Conditions first, and a pointer before its record: a record without one would not be found to be revoked. */
const rankOf = (action: Action): number => (isConditional(action) ? 0 : action.write === undefined ? 1 : 2);

/**
 * The transactions of a commit: one, or several if `isSeparable` and the commit exceeds the limits of one. The first has all
 * conditions, so that a conflict leaves all as it was.
 *
 * @throws RangeError if an item, or a commit that needs one transaction, exceeds the limits
 */
export const transactionsOf = (actions: readonly Action[], isSeparable: boolean): readonly (readonly Action[])[] => {
  const sizes = new Map(actions.map((action) => [action, sizeOfAction(action)]));
  assertWithinLimits([...sizes.values()]);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (actions.length <= mostActions && total <= mostBytesOfTransaction) return [actions];
  const transactions: Action[][] = [];
  let bytes = 0;
  for (const action of actions.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const size = sizes.get(action) ?? 0;
    const last = transactions.at(-1);
    if (last === undefined || last.length === mostActions || bytes + size > mostBytesOfTransaction) {
      transactions.push([action]);
      bytes = size;
    } else {
      last.push(action);
      bytes += size;
    }
  }
  if (!isSeparable || transactions[1]?.some(isConditional))
    throw new RangeError('A commit exceeds a transaction of DynamoDB: 100 actions, of 4 MB.');
  return transactions;
};
