import type { Write } from '@carnet/adapter-contract';

/** What has to change together: a grant and all that belongs to it, or a record of none. */
const placeOf = (write: Write): string => {
  if (write.type === 'revoke') return `grant ${write.grantId}`;
  const { kind, id, grantId } = 'record' in write ? write.record : write.key;
  return grantId === undefined ? `record ${kind} ${id}` : `grant ${grantId}`;
};

/** The parts that a Cluster carries out one after the other, in the order of their first writes. */
export const splitByPlace = (writes: readonly Write[]): readonly (readonly Write[])[] => {
  const parts = new Map<string, Write[]>();
  for (const write of writes) {
    const place = placeOf(write);
    const part = parts.get(place);
    if (part) part.push(write);
    else parts.set(place, [write]);
  }
  return [...parts.values()];
};
