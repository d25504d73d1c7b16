import { type CallContext, repeatCall } from './call-context.ts';
import type { Attributes, Found, QueryInput } from './wire.ts';

type Start = { readonly ExclusiveStartKey?: Attributes };

/** Where a read resumes. */
export const startAt = (place: Attributes | undefined): Start =>
  place === undefined ? {} : { ExclusiveStartKey: place };

/** One answer of a query, of at most 1 MB. */
export const query = (
  input: Omit<QueryInput, 'TableName'>,
  context: CallContext,
  after?: Attributes,
): Promise<Found> => {
  const { connection, table, deadline } = context;
  return repeatCall(
    () => connection.call('Query', { TableName: table, ...input, ...startAt(after) }, deadline),
    context,
  );
};

/** All items of a query. */
export const queryAll = async (
  input: Omit<QueryInput, 'TableName'>,
  context: CallContext,
): Promise<readonly Attributes[]> => {
  const items: Attributes[] = [];
  for (let after: Attributes | undefined; ; ) {
    const { Items = [], LastEvaluatedKey } = await query(input, context, after);
    items.push(...Items);
    if (LastEvaluatedKey === undefined) return items;
    after = LastEvaluatedKey;
  }
};
