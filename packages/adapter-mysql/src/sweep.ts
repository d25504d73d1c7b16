import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import type { Deadline } from '@carnet/adapter-contract/sql';
import type { Connections } from './connections.ts';
import { wholeNumber } from './literals.ts';
import { rowsIn } from './record.ts';
import type { Answer } from './run-on.ts';

const affectedBy = (answer: Answer | undefined): number =>
  answer !== undefined && 'affectedRows' in answer ? answer.affectedRows : 0;

/** Removes expired rows, the oldest first, and counts the rest. */
export const sweepExpired = async (
  { run }: Pick<Connections, 'run'>,
  limit: number,
  { now, deadline }: { readonly now: number; readonly deadline: Deadline },
): Promise<Swept> => {
  const isExpired = `expires_at <= ${wholeNumber(now)}`;
  const statements = [
    `delete from carnet_record where ${isExpired} order by expires_at limit ${wholeNumber(limit)}`,
    `select count(*) from (select 1 from carnet_record where ${isExpired} limit ${mostLeftCounted}) as seen`,
  ];
  const [removed, left] = await run({ statements, isTransaction: false }, { deadline, isRepeatable: true });
  return { removed: affectedBy(removed), left: Number(rowsIn(left)[0]?.[0]) };
};
