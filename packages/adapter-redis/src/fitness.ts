import { type Capabilities, StoreUnfitError } from '@carnet/adapter-contract';
import type { Address } from './address.ts';
import type { Findings } from './inspection.ts';

const oldest = [6, 2] as const;

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

const unfit: (message: string) => never = (message) => {
  throw new StoreUnfitError(message);
};

/**
 * Throws unless a server with these settings can be a store.
 *
 * Eviction removes what was used up, and with it the proof that it was: it could be used again.
 */
export const assertSettings = (found: Findings, mode: Address['mode']): void => {
  // These two pass by themselves.
  if (found.isLoading) throw new Error('Redis is loading its data.');
  if (found.role !== 'master' && mode !== 'single')
    throw new Error('Redis is a replica: the master has changed or is about to.');
  if (found.role !== 'master')
    unfit('The Redis server is a replica, which takes no writes. Point the URL at the master, or promote the replica.');
  if (isTooOld(found.version)) unfit(`Redis ${oldest.join('.')} or later is needed; the server is ${found.version}.`);
  if (found.evictionPolicy !== 'noeviction')
    unfit(
      `The Redis server evicts records when its memory is full (maxmemory-policy ${found.evictionPolicy}): used codes and tokens could be used again. Set maxmemory-policy to noeviction.`,
    );
  if (found.isClusterNode && mode !== 'cluster')
    unfit('The Redis server is a node of a Cluster. Use a URL that starts with redis-cluster://.');
};

const afterLoss =
  'After a loss rotate secrets.system first, because used codes and tokens could be used again; then run `carnet migrate up`, and restart every process.';

/** The settings that a store must keep. */
type Promises = Readonly<Pick<Capabilities, 'durable' | 'neverRevives'>>;

/** The known settings of the store. A change is reported as an error. */
export interface Known {
  /** The marker of a durable store. Used codes must stay used, so that the data set must never be replaced. */
  marker?: string;
  /** The settings that all servers checked so far have. */
  promises: Promises;
  /** The promises have been relied on. */
  isDeclared: boolean;
}

export const createKnown = (): Known => ({ promises: { durable: true, neverRevives: true }, isDeclared: false });

const promisesOf = (found: Findings, { mode, replicas }: Address): Promises => {
  // Only a single server: a replica that takes over loses the writes that it has not received, even with `appendfsync
  // always`.
  const durable = mode === 'single' && found.syncsEveryWrite;
  // The one step that keeps a logout: whichever replica takes over has it, as it is waited for until all have. And the
  // master that was killed does not start again without it.
  const isWaitedFor = replicas > 0 && replicas >= found.replicas;
  return { durable, neverRevives: durable || (isWaitedFor && found.logsEveryWrite) };
};

const assertPromises = (kept: Promises, known: Known): void => {
  const { durable, neverRevives } = known.promises;
  if (!known.isDeclared) {
    known.promises = { durable: durable && kept.durable, neverRevives: neverRevives && kept.neverRevives };
    return;
  }
  if (durable && !kept.durable)
    unfit(
      'The Redis server no longer writes everything to disk before it answers, as it did when this process started. Set appendonly to yes, appendfsync to always and no-appendfsync-on-rewrite to no.',
    );
  if (neverRevives && !kept.neverRevives)
    unfit(
      'Since this process started, a Redis master lost its append-only file or got more replicas than the URL names: removed records may come back. Set appendonly to yes on every node, and the parameter replicas of the URL to the number of replicas of a master.',
    );
};

const assertMarker = (marker: string | null | undefined, known: Known): void => {
  if (!marker)
    unfit(
      `The Redis database is empty or was lost: it does not hold its marker. If it is new, run \`carnet migrate up\`. ${afterLoss}`,
    );
  if (known.marker !== undefined && marker !== known.marker)
    unfit(
      `The Redis database is not the one this process was started with: its data was lost or replaced. ${afterLoss}`,
    );
  known.marker ??= marker;
};

/**
 * Throws unless the server has the same settings as before, and a durable one the same data set. Remembers both. A
 * store that is not durable may lose its data, and needs no action of an operator then.
 */
export const assertKnown = (found: Findings, address: Address, known: Known): void => {
  if (found.marker instanceof Error) throw found.marker;
  assertPromises(promisesOf(found, address), known);
  if (known.promises.durable) assertMarker(found.marker, known);
};
