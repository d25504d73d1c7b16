import type { Action } from './action.ts';
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

/**
 * The transactions of a commit: one, or several if the commit exceeds the limits of one. Then the first has all conditions,
 * so that a conflict still leaves all as it was.
 *
 * @throws RangeError if an item, or the conditions together, exceed the limits
 */
export const transactionsOf = (actions: readonly Action[]): readonly (readonly Action[])[] => {
  const sizes = new Map(actions.map((action) => [action, sizeOfAction(action)]));
  assertWithinLimits([...sizes.values()]);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (actions.length <= mostActions && total <= mostBytesOfTransaction) return [actions];
  const transactions: Action[][] = [];
  let bytes = 0;
  const isConditional = (action: Action) => action.isConditional;
  const conditional = actions.filter(isConditional);
  for (const action of [...conditional, ...actions.filter((each) => !each.isConditional)]) {
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
  if (transactions[1]?.some(isConditional))
    throw new RangeError('A commit has more conditions than a transaction of DynamoDB may have: 100, of 4 MB.');
  return transactions;
};
