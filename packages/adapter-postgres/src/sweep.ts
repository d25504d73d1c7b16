import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import type { Deadline } from '@carnet/adapter-contract/sql';
import type { Connections } from './connections.ts';
import { toTimestamp } from './record.ts';
import { sweepStatement } from './statements.ts';

const firstExpiry = '-infinity';
const hourMs = 3_600_000;

/**
 * Removes expired rows, the oldest first. Their index entries remain until the next vacuum, so a batch that follows a full
 * batch begins where that one ended: otherwise each batch would read the entries of all earlier ones.
 *
 * A batch that is not full is continued from the beginning. That finds the rows which were locked earlier, or which arrived
 * with an earlier expiry. If a batch from the beginning fails, for example because it takes longer than the deadline, the next
 * batch begins at what expired an hour ago, so that the sweep does its work until the vacuum has ended.
 */
export const createSweep = ({ run }: Pick<Connections, 'run'>, now: () => number) => {
  let from = firstExpiry;
  const sweepFrom = async (start: string, limit: number, deadline: Deadline): Promise<Swept> => {
    from = start === firstExpiry ? toTimestamp(new Date(now() - hourMs)) : start;
    const values = [toTimestamp(new Date(now())), limit, limit + mostLeftCounted, start];
    const rows = await run({ ...sweepStatement, values }, { deadline, isRepeatable: true });
    const [removed, expired, last] = rows[0] as readonly [number, number, string | null];
    from = removed < limit || last === null ? firstExpiry : toTimestamp(new Date(Number(last)));
    return { removed, left: Math.min(expired - removed, mostLeftCounted) };
  };
  return async (limit: number, deadline: Deadline): Promise<Swept> => {
    const start = from;
    const swept = await sweepFrom(start, limit, deadline);
    if (start === firstExpiry || swept.removed === limit) return swept;
    const rest = await sweepFrom(firstExpiry, limit - swept.removed, deadline);
    return { removed: swept.removed + rest.removed, left: rest.left };
  };
};
