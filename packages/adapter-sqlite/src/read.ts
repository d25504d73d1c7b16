import type { DatabaseSync } from 'node:sqlite';
import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { inSnapshot } from './database.ts';
import { keyOf, toFound } from './record.ts';
import type { Statements } from './statements.ts';

/** The records of the keys that are live at `now`, in the order of the keys. */
export const readRecords = (
  { database, statements }: { readonly database: DatabaseSync; readonly statements: Statements },
  keys: readonly RecordKey[],
  now: number,
): readonly (FoundRecord | undefined)[] => {
  const readOne = (key: RecordKey): FoundRecord | undefined => {
    const row = statements.read.first(...keyOf(key), now);
    return row && toFound(row);
  };
  return keys.length === 1 ? keys.map(readOne) : inSnapshot(database, () => keys.map(readOne));
};
