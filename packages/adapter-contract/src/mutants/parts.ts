import { keyOfWrite, partsOf } from '../parts.ts';
import type { StorageAdapter, Write } from '../port.ts';
import { committing, type Mutant, override, restore } from './mutant.ts';

const inTurn =
  (split: (writes: readonly Write[]) => readonly (readonly Write[])[]) =>
  async (adapter: StorageAdapter, writes: readonly Write[]) => {
    for (const part of split(writes)) {
      const conflict = await adapter.commit(part);
      if (conflict) return conflict;
    }
    return undefined;
  };

const commitInParts = committing(inTurn(partsOf));

/** A correct store that is atomic by grant and says so, made of one that is atomic altogether. */
export const atomicByGrant = (adapter: StorageAdapter): StorageAdapter =>
  override(commitInParts(adapter), { capabilities: { ...adapter.capabilities, atomicCommit: 'grant' } });

/** The writes cut wherever the grant changes. */
const runsOf = (writes: readonly Write[]): readonly (readonly Write[])[] => {
  const runs: Write[][] = [];
  for (const [index, write] of writes.entries()) {
    const before = writes[index - 1];
    if (before && partsOf([before, write]).length === 1) runs.at(-1)?.push(write);
    else runs.push([write]);
  }
  return runs;
};

export const partMutants: readonly Mutant[] = [
  {
    name: 'commits-the-first-grant-alone',
    breaks: 'commit-spans-grants',
    wrap: committing((adapter, writes) => adapter.commit(partsOf(writes)[0] ?? [])),
  },
  {
    name: 'takes-each-run-of-a-grant-for-a-part',
    breaks: 'conflict-undoes-its-whole-part',
    wrap: committing(inTurn(runsOf)),
  },
  {
    name: 'orders-parts-by-their-last-writes',
    breaks: 'conflict-undoes-its-whole-part',
    wrap: committing(
      inTurn((writes) =>
        partsOf(writes.toReversed())
          .map((part) => part.toReversed())
          .toReversed(),
      ),
    ),
  },
  {
    name: 'goes-on-after-a-conflict',
    breaks: 'conflict-stops-the-parts-after-it',
    wrap: committing(async (adapter, writes) => {
      const conflicts = await Promise.all(partsOf(writes).map((part) => adapter.commit(part)));
      return conflicts.find(Boolean);
    }),
  },
  {
    name: 'names-the-last-part-that-fails',
    breaks: 'conflict-is-named-across-grants',
    wrap: committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      const last = conflict && (await adapter.commit(partsOf(writes).toReversed().flat()));
      return last ?? conflict;
    }),
  },
  { name: 'is-atomic-by-grant-alone', breaks: 'conflict-undoes-other-grants', wrap: commitInParts },
  {
    name: 'sorts-writes-by-grant',
    breaks: 'conflict-is-named-in-the-order-of-writes',
    wrap: committing((adapter, writes) => adapter.commit(partsOf(writes).flat())),
  },
  {
    name: 'undoes-the-parts-before-a-conflict',
    breaks: 'parts-before-a-conflict-stand',
    wrap: committing(async (adapter, writes) => {
      const keys = writes.flatMap((write) => keyOfWrite(write) ?? []);
      const before = await adapter.read(keys);
      const conflict = await adapter.commit(writes);
      if (conflict) await adapter.commit(keys.flatMap((key, index) => restore(key, before[index])));
      return conflict;
    }),
  },
  {
    name: 'stops-every-part-at-a-conflict',
    breaks: 'parts-before-a-conflict-stand',
    wrap: committing(async (adapter, writes) => {
      const keys = writes.flatMap((write) => keyOfWrite(write) ?? []);
      const before = await adapter.read(keys);
      const conflict = await adapter.commit(writes);
      if (!conflict) return undefined;
      await adapter.commit(keys.flatMap((key, index) => restore(key, before[index])));
      await adapter.commit(writes.slice(0, writes.indexOf(conflict.write) + 1));
      return conflict;
    }),
  },
  {
    name: 'names-the-first-failure-as-given',
    breaks: 'conflict-is-named-in-the-order-of-parts',
    wrap: committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      if (!conflict) return undefined;
      for (const write of writes) {
        const first = await adapter.commit([write]);
        if (first) return first;
      }
      return conflict;
    }),
  },
];
