import type { Write } from '@carnet/adapter-contract';
import { bind, isVersion } from './expression.ts';
import { keyAttributes } from './keys.ts';
import type { Attributes, ItemKey, TransactItem } from './wire.ts';

/** One action of a commit: that of a write about a record, or a condition about the head of a grant. */
export interface Action {
  readonly item: TransactItem;
  /** The write that failed if the condition failed. */
  readonly write?: Write | undefined;
  /** The grant of which the item is the head. */
  readonly grantOfHead?: string | undefined;
  /** The epoch at which the write expects its record. Default: 0. */
  readonly epoch?: number;
}

/** Whether an action can cancel its transaction. */
export const isConditional = ({ item }: Action): boolean =>
  Object.values(item).some((action) => 'ConditionExpression' in action);

export interface Options {
  readonly table: string;
  readonly condition?: string | undefined;
  readonly values: Attributes;
}

/** The table and the condition of an action, with the names and values of its expressions. */
export const conditionOf = ({ table, condition, values }: Options, ...expressions: readonly string[]) => ({
  TableName: table,
  ...(condition !== undefined && {
    ConditionExpression: condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }),
  ...bind([condition, ...expressions], values),
});

/** Binds an action to an item as it was read; undefined: to its absence. */
export const ofVersion = (item: Attributes | undefined, table: string): Options => ({
  table,
  condition: isVersion(item?.version?.S),
  values: { seen: item?.version ?? {} },
});

export const putItem = (item: Attributes, options: Options): TransactItem => ({
  Put: { Item: item, ...conditionOf(options) },
});

export const deleteItem = (key: ItemKey, options: Options): TransactItem => ({
  Delete: { Key: keyAttributes(key), ...conditionOf(options) },
});

export const updateItem = (key: ItemKey, update: string, options: Options): TransactItem => ({
  Update: { Key: keyAttributes(key), UpdateExpression: update, ...conditionOf(options, update) },
});

export const checkItem = (key: ItemKey, options: Options & { readonly condition: string }): TransactItem => ({
  ConditionCheck: { Key: keyAttributes(key), ...conditionOf(options) },
});
