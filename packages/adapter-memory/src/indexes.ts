import type { Kind, ListQuery } from '@carnet/adapter-contract';
import type { Entry } from './entry.ts';

/** The keys under one index value. Sorted when first listed after a change, not at each change. */
interface Bucket {
  readonly keys: Set<string>;
  sorted?: readonly string[];
}

/** Which keys belong to a grant, and which a list has to look at. */
export interface Indexes {
  /** Move a key from where its old entry put it to where its new one does. */
  move(key: string, before: Entry | undefined, after: Entry | undefined): void;
  ofGrant(grantId: string): Iterable<string>;
  /** The keys a list query has to look at, in order: the narrowest bucket, a superset of the answer. */
  forList(query: Pick<ListQuery, 'kind' | 'subject' | 'clientId'>): readonly string[];
}

const nameOf = (kind: Kind, index: 'all' | 'subject' | 'client', value = ''): string => `${kind}:${index}:${value}`;

/** No kind is called `revoke`: a grant's bucket is no other index's. */
const nameOfGrant = (grantId: string): string => `revoke:${grantId}`;

const namesOf = (entry: Entry | undefined): readonly string[] => {
  if (entry === undefined) return [];
  const { kind, grantId, subject, clientId } = entry.record;
  const names = [nameOf(kind, 'all')];
  if (subject !== undefined) names.push(nameOf(kind, 'subject', subject));
  if (clientId !== undefined) names.push(nameOf(kind, 'client', clientId));
  if (grantId !== undefined) names.push(nameOfGrant(grantId));
  return names;
};

export const createIndexes = (): Indexes => {
  const buckets = new Map<string, Bucket>();

  const add = (name: string, key: string) => {
    const bucket = buckets.get(name);
    if (bucket === undefined) {
      buckets.set(name, { keys: new Set([key]) });
      return;
    }
    bucket.keys.add(key);
    bucket.sorted = undefined;
  };

  const drop = (name: string, key: string) => {
    const bucket = buckets.get(name);
    if (bucket === undefined) return;
    bucket.keys.delete(key);
    bucket.sorted = undefined;
    if (bucket.keys.size === 0) buckets.delete(name);
  };

  const sortedKeys = (name: string): readonly string[] => {
    const bucket = buckets.get(name);
    if (bucket === undefined) return [];
    bucket.sorted ??= [...bucket.keys].sort();
    return bucket.sorted;
  };

  return {
    move(key, before, after) {
      const [from, to] = [namesOf(before), namesOf(after)];
      for (const name of from) if (!to.includes(name)) drop(name, key);
      for (const name of to) if (!from.includes(name)) add(name, key);
    },
    ofGrant: (grantId) => buckets.get(nameOfGrant(grantId))?.keys ?? [],
    forList({ kind, subject, clientId }) {
      if (subject !== undefined) return sortedKeys(nameOf(kind, 'subject', subject));
      if (clientId !== undefined) return sortedKeys(nameOf(kind, 'client', clientId));
      return sortedKeys(nameOf(kind, 'all'));
    },
  };
};
