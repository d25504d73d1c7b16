import { StoreUnfitError } from '@carnet/adapter-contract';
import type { Redis } from 'ioredis';
import type { Address } from './address.ts';

/** What a server says of itself. */
export interface Findings {
  readonly version: string;
  readonly role: string;
  readonly evictionPolicy: string;
  readonly isClusterNode: boolean;
  readonly isLoading: boolean;
  /** Every write is on disk before it is answered. */
  readonly syncsEveryWrite: boolean;
  /** The value of the data set's marker; `null`: it is not there. `undefined`: another node has to know. */
  readonly marker: string | null | undefined | Error;
}

const oldest = [6, 2] as const;

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

const unfit = (message: string): never => {
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
      `The Redis server evicts records when its memory is full (maxmemory-policy ${found.evictionPolicy}): what was used up could be used again. Set maxmemory-policy to noeviction.`,
    );
  if (found.isClusterNode && mode !== 'cluster')
    unfit('The Redis server is a node of a Cluster. Use a URL that starts with redis-cluster://.');
};

const afterLoss =
  'After a loss rotate secrets.system first, since what was used up before could be used again; then run `carnet migrate up`, and start every process anew.';

/** What this process knows of its store: a change of it is not taken in silence. */
export interface Known {
  marker?: string;
  durable?: boolean;
}

/** Throws unless the data set is there and is the one this process has known; remembers it. */
export const assertDataSet = ({ marker, syncsEveryWrite }: Findings, mode: Address['mode'], known: Known): void => {
  if (marker instanceof Error) throw marker;
  // One server alone: what a replica has not got yet when it takes over is lost, however often anybody writes to disk.
  const durable = mode === 'single' && syncsEveryWrite;
  if (marker === null)
    unfit(
      `The Redis database is empty or was lost: it does not hold its marker. If it is new, run \`carnet migrate up\`. ${afterLoss}`,
    );
  if (marker !== undefined && known.marker !== undefined && marker !== known.marker)
    unfit(`The Redis database is not the one this process was started with: it was lost and made anew. ${afterLoss}`);
  if (known.durable && !durable)
    unfit(
      'The Redis server no longer writes everything to disk before it answers, as it did when this process started. Set appendonly to yes, appendfsync to always and no-appendfsync-on-rewrite to no.',
    );
  known.durable ??= durable;
  if (marker) known.marker ??= marker;
};

const parseInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
    }),
  );

/** A node of a Cluster answers so for a key of another. */
const isElsewhere = (error: unknown): boolean => error instanceof Error && /^(MOVED|ASK|TRYAGAIN) /.test(error.message);

/** Whether it matters that there is no answer is seen when the settings are known. */
const getMarker = (client: Redis, key: string): Promise<Findings['marker']> =>
  client.get(key).catch((error: Error) => (isElsewhere(error) ? undefined : error));

/** Who may not ask is told nothing, and that counts as no. */
const getSyncSettings = async (client: Redis): Promise<ReadonlyMap<string, string>> => {
  const answer = await client.config('GET', '*appendfsync*').catch(() => []);
  const texts = answer as readonly string[];
  return new Map(texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1] ?? ''] as const] : [])));
};

/** Ask a server, in one round trip. */
export const inspectServer = async (client: Redis, markerKey: string): Promise<Findings> => {
  const asked = [client.info(), getMarker(client, markerKey), getSyncSettings(client)] as const;
  const [text, marker, sync] = await Promise.all(asked);
  const info = parseInfo(text);
  return {
    version: info.get('redis_version') ?? '0',
    role: info.get('role') ?? '',
    evictionPolicy: info.get('maxmemory_policy') ?? '',
    isClusterNode: info.get('cluster_enabled') === '1',
    isLoading: info.get('loading') === '1',
    syncsEveryWrite:
      info.get('aof_enabled') === '1' &&
      sync.get('appendfsync') === 'always' &&
      sync.get('no-appendfsync-on-rewrite') === 'no',
    marker,
  };
};
