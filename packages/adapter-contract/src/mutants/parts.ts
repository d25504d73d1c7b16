import { partsOf } from '../parts.ts';
import type { StorageAdapter, Write } from '../port.ts';
import { committing, mutantsOf, override, restoring } from './mutant.ts';

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

export const partMutants = mutantsOf({
  'commit-spans-grants': {
    'commits-the-first-grant-alone': committing((adapter, writes) => adapter.commit(partsOf(writes)[0] ?? [])),
  },
  'conflict-undoes-its-whole-part': {
    'takes-each-run-of-a-grant-for-a-part': committing(inTurn(runsOf)),
    'orders-parts-by-their-last-writes': committing(
      inTurn((writes) =>
        partsOf(writes.toReversed())
          .map((part) => part.toReversed())
          .toReversed(),
      ),
    ),
  },
  'conflict-stops-the-parts-after-it': {
    'goes-on-after-a-conflict': committing(async (adapter, writes) => {
      const conflicts = await Promise.all(partsOf(writes).map((part) => adapter.commit(part)));
      return conflicts.find(Boolean);
    }),
  },
  'conflict-is-named-across-grants': {
    'names-the-last-part-that-fails': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      const last = conflict && (await adapter.commit(partsOf(writes).toReversed().flat()));
      return last ?? conflict;
    }),
  },
  'conflict-undoes-other-grants': {
    'is-atomic-by-grant-alone': commitInParts,
  },
  'conflict-is-named-in-the-order-of-writes': {
    'sorts-writes-by-grant': committing((adapter, writes) => adapter.commit(partsOf(writes).flat())),
  },
  'parts-before-a-conflict-stand': {
    'undoes-the-parts-before-a-conflict': committing((adapter, writes) => restoring(adapter, writes)),
    'stops-every-part-at-a-conflict': committing(async (adapter, writes) => {
      const conflict = await restoring(adapter, writes);
      if (conflict) await adapter.commit(writes.slice(0, writes.indexOf(conflict.write) + 1));
      return conflict;
    }),
  },
  'conflict-is-named-in-the-order-of-parts': {
    'names-the-first-failure-as-given': committing(async (adapter, writes) => {
      const conflict = await adapter.commit(writes);
      if (!conflict) return undefined;
      for (const write of writes) {
        const first = await adapter.commit([write]);
        if (first) return first;
      }
      return conflict;
    }),
  },
});
