import { type Kind, type ListQuery, listedBySubject, listedKinds } from '@carnet/adapter-contract';
import type { Entry } from './entry.ts';

/** The keys under one index value. Sorted when first listed after a change, not at each change. */
interface Bucket {
  readonly keys: Set<string>;
  sorted?: readonly string[];
}

/** No kind is called `revoke`: a grant's bucket is no list's. */
const nameOfGrant = (grantId: string): string => `revoke:${grantId}`;

const isListed = (kind: Kind, kinds: readonly Kind[]): boolean => kinds.includes(kind);

/** The bucket of a list: that of a kind, or that of one subject. */
const nameOfList = ({ kind, subject }: { readonly kind: Kind; readonly subject?: string }): string =>
  isListed(kind, listedKinds) ? kind : `${kind}:${subject}`;

/** The list a record is in. Other kinds, and what has no subject, are never listed. */
const listOf = ({ kind, subject }: Entry['record']): string | undefined => {
  if (isListed(kind, listedKinds)) return nameOfList({ kind });
  return isListed(kind, listedBySubject) && subject !== undefined ? nameOfList({ kind, subject }) : undefined;
};

const namesOf = (entry: Entry | undefined): readonly string[] => {
  if (entry === undefined) return [];
  const { grantId } = entry.record;
  const grant = grantId === undefined ? undefined : nameOfGrant(grantId);
  return [grant, listOf(entry.record)].filter((name) => name !== undefined);
};

/** Which keys belong to a grant, and which to a list. */
export const createIndexes = () => {
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
    /** Moves a key from where its old entry put it to where its new one does. */
    move(key: string, before: Entry | undefined, after: Entry | undefined): void {
      const [from, to] = [namesOf(before), namesOf(after)];
      for (const name of from) if (!to.includes(name)) drop(name, key);
      for (const name of to) if (!from.includes(name)) add(name, key);
    },
    ofGrant: (grantId: string): Iterable<string> => buckets.get(nameOfGrant(grantId))?.keys ?? [],
    /** The keys of a kind, or of what a subject has of it, in order. */
    ofList: (query: Pick<ListQuery, 'kind' | 'subject'>) => sortedKeys(nameOfList(query)),
  };
};
