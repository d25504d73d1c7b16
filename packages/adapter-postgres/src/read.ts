import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import type { ReadOptions } from '@carnet/adapter-contract/sql';
import type { Connections } from './connections.ts';
import { keyColumns, toFound, toTimestamp, type ValueRow } from './record.ts';
import { readStatement } from './statements.ts';

type ReadRow = readonly [position: string, ...ValueRow];

/** The records of the keys that are live at `now`, in the order of the keys. */
export const readRecords = async (
  connections: Connections,
  keys: readonly RecordKey[],
  { now, deadline }: ReadOptions,
): Promise<readonly (FoundRecord | undefined)[]> => {
  const found = new Array<FoundRecord | undefined>(keys.length).fill(undefined);
  if (keys.length === 0) return found;
  const values = [...keyColumns(keys), toTimestamp(new Date(now))];
  const rows = await connections.run({ ...readStatement, values }, { deadline, isRepeatable: true });
  for (const [position, ...row] of rows as readonly ReadRow[]) {
    const index = Number(position) - 1;
    found[index] = toFound(keys[index] as RecordKey, row);
  }
  return found;
};
