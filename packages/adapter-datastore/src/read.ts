import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { isLive, toFound } from './entity.ts';
import { nameOf } from './keys.ts';
import { distinct, lookUp } from './lookup.ts';
import { repeat } from './repeat.ts';

/** The records of the keys that are live, in the order of the keys: one Lookup for up to 1,000 of them. */
export const readRecords = async (
  keys: readonly RecordKey[],
  { connection, keys: layout, now, deadline }: CallContext,
): Promise<readonly (FoundRecord | undefined)[]> => {
  const entityKeys = distinct(keys).map(layout.record);
  const { entities } = await repeat(() => lookUp(entityKeys, { connection, deadline }), deadline);
  const instant = now();
  return keys.map((key) => {
    const entity = entities.get(nameOf(key));
    // A new object for each key: results share none.
    const found = entity && toFound(entity);
    return found && isLive(found, instant) ? found : undefined;
  });
};
