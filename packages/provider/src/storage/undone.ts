import { type Capabilities, type Conflict, partsOf, type Write } from '@carnet/adapter-contract';

/** The writes of a commit that a conflict has undone or kept from happening, and not the one that could not be. */
export const undoneBy = (
  { write: failed }: Conflict,
  writes: readonly Write[],
  { atomicCommit }: Pick<Capabilities, 'atomicCommit'>,
): readonly Write[] => {
  const parts = atomicCommit === 'all' ? [writes] : partsOf(writes);
  const first = parts.findIndex((part) => part.includes(failed));
  return parts
    .slice(first)
    .flat()
    .filter((write) => write !== failed);
};
