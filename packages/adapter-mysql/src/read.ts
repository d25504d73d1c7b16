import { type FoundRecord, placeOf, type RecordKey } from '@carnet/adapter-contract';
import type { ReadOptions } from '@carnet/adapter-contract/sql';
import type { Connections } from './connections.ts';
import { rowsIn, toFound } from './record.ts';
import { readStatement } from './statements.ts';

const nameIn = (place: string, kind: string, id: string): string => JSON.stringify([place, kind, id]);

/** The records of the keys that are live at `now`, in the order of the keys. */
export const readRecords = async (
  { run }: Pick<Connections, 'run'>,
  keys: readonly RecordKey[],
  { now, deadline }: ReadOptions,
): Promise<readonly (FoundRecord | undefined)[]> => {
  if (keys.length === 0) return [];
  const batch = { statements: [readStatement(keys, now)], isTransaction: false };
  const [answer] = await run(batch, { deadline, isRepeatable: true });
  const rows = new Map(rowsIn(answer).map((row) => [nameIn(`${row[0]}`, `${row[1]}`, `${row[2]}`), row]));
  return keys.map((key) => {
    const row = rows.get(nameIn(placeOf(key), key.kind, key.id));
    return row && toFound(row);
  });
};
