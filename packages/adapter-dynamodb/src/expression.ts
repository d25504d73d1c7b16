import type { Attributes } from './wire.ts';

/** Conditions of an item, as DynamoDB's expressions. Each name is `#name`: many words are reserved. */
const isUnexpired = '(attribute_not_exists(#expires) OR #expires > :now)';

/** The condition that a record belongs to an epoch of its grant. */
const isOfEpoch = (epoch: number): string => (epoch === 0 ? 'attribute_not_exists(#epoch)' : '#epoch = :epoch');

/** The same as `isLive` of item.ts. A record without a grant has no epoch. */
export const isLiveAt = (epoch: number): string =>
  `attribute_exists(#payload) AND ${isUnexpired} AND ${isOfEpoch(epoch)}`;

export const isAbsentAt = (epoch: number): string => `NOT (${isLiveAt(epoch)})`;

export const isUnusedAt = (epoch: number): string => `${isLiveAt(epoch)} AND attribute_not_exists(#used)`;

/** The condition that a grant was revoked so often, of its head. */
export const isRevoked = (times: number): string =>
  times === 0 ? 'attribute_not_exists(#revoked)' : '#revoked = :revoked';

/** Nothing has changed since the item was read. */
export const isVersion = (version: string | undefined): string =>
  version === undefined ? 'attribute_not_exists(#pk)' : '#version = :seen';

/** The condition to remove an item as expired. A head of a revoked grant has to outlive its record. */
export const isExpired = '#expires <= :now AND attribute_not_exists(#revoked)';

export const allOf = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((condition) => condition !== undefined).join(' AND ');

/** The names and values that the expressions use, of those that there are. */
export const bind = (expressions: readonly (string | undefined)[], values: Attributes) => {
  const used = expressions.filter((expression) => expression !== undefined).join(' ');
  const names = new Set(used.match(/#\w+/g));
  const bound = new Set(used.match(/:\w+/g));
  return {
    ...(names.size > 0 && {
      ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [name, name.slice(1)])),
    }),
    ...(bound.size > 0 && {
      ExpressionAttributeValues: Object.fromEntries([...bound].map((name) => [name, values[name.slice(1)] ?? {}])),
    }),
  };
};
