import type { StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import type { Stores } from './compose.ts';
import { type GroupName, groupNames, groups } from './groups.ts';

const problemOf = (
  name: GroupName,
  { capabilities }: Pick<StorageAdapter, 'capabilities'>,
  dev: boolean,
): string | undefined => {
  const { needs, otherwise } = groups[name];
  if (dev || needs === 'nothing') return undefined;
  // The one step that keeps codes single-use: their redemption records are never in a store that may lose records.
  if (needs === 'durable' && !capabilities.durable) return `it may lose committed records: ${otherwise}`;
  if (!capabilities.neverRevives) return `removed records may come back: ${otherwise}`;
  return undefined;
};

/** Refuses stores that lack a required capability, as declared by their adapter. */
export const assertFits = (
  stores: Readonly<Record<GroupName, Pick<Stores[GroupName], 'capabilities'>>>,
  { dev }: { readonly dev: boolean },
): void => {
  const problems = groupNames.flatMap((name) => {
    const problem = problemOf(name, stores[name], dev);
    if (problem === undefined) return [];
    const { remedy } = stores[name].capabilities;
    const advice = remedy === undefined ? 'Set' : `${remedy} Or set`;
    return [`storage: the store of ${name}: ${problem}. ${advice} storage.${name} to another store.`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
};
