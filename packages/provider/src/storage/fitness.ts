import type { StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import type { Stores } from './compose.ts';
import { type GroupName, groupNames, groups } from './groups.ts';

export interface Circumstances {
  readonly workers: number;
  readonly dev: boolean;
}

const problemOf = (
  name: GroupName,
  { capabilities }: Pick<StorageAdapter, 'capabilities'>,
  { workers, dev }: Circumstances,
): string | undefined => {
  const { needs, otherwise } = groups[name];
  if (workers > 1 && !capabilities.shared) return `it can't be shared by ${workers} processes`;
  if (dev || needs === 'nothing') return undefined;
  // The one step that keeps codes single-use: their redemption records are never in a store that may lose records.
  if (needs === 'durable' && !capabilities.durable) return `it may lose committed records: ${otherwise}`;
  if (!capabilities.neverRevives) return `removed records may come back: ${otherwise}`;
  return undefined;
};

/** Refuses stores that lack a required capability, as declared by their adapter. */
export const assertFits = (
  stores: Readonly<Record<GroupName, Pick<Stores[GroupName], 'capabilities'>>>,
  circumstances: Circumstances,
): void => {
  const problems = groupNames.flatMap((name) => {
    const problem = problemOf(name, stores[name], circumstances);
    if (problem === undefined) return [];
    const { remedy } = stores[name].capabilities;
    const advice = remedy === undefined ? 'Set' : `${remedy} Or set`;
    return [`storage: the store of ${name}: ${problem}. ${advice} storage.${name} to another store.`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
};
