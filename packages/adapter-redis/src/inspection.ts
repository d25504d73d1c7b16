import type { Redis } from 'ioredis';

/** The settings that a server reports. */
export interface Findings {
  readonly version: string;
  readonly role: string;
  readonly evictionPolicy: string;
  readonly isClusterNode: boolean;
  readonly isLoading: boolean;
  /** Every write is in a file before it is answered: a process that is killed loses none. */
  readonly logsEveryWrite: boolean;
  /** That file is on disk by then: a machine that is lost loses none. */
  readonly syncsEveryWrite: boolean;
  /** How many replicas follow it now. */
  readonly replicas: number;
  /** The value of the data set's marker; `null`: it is not there. `undefined`: another node has to know. */
  readonly marker: string | null | undefined | Error;
}

const parseInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
    }),
  );

/** The name of the process of the server. */
export const readRunId = async (client: Redis): Promise<string> =>
  parseInfo(await client.info('server')).get('run_id') ?? '';

/** A node of a Cluster answers so for a key of another. */
const isElsewhere = (error: unknown): boolean => error instanceof Error && /^(MOVED|ASK|TRYAGAIN) /.test(error.message);

/**
 * Also where no marker is needed: what serves no keys says so. Whether that matters is seen when the settings are
 * known.
 */
const getMarker = (client: Redis, key: string): Promise<Findings['marker']> =>
  client.get(key).catch((error: Error) => (isElsewhere(error) ? undefined : error));

/** Without permission the server returns no value, which is treated as off. */
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
  const logsEveryWrite = info.get('aof_enabled') === '1';
  return {
    version: info.get('redis_version') ?? '0',
    role: info.get('role') ?? '',
    evictionPolicy: info.get('maxmemory_policy') ?? '',
    isClusterNode: info.get('cluster_enabled') === '1',
    isLoading: info.get('loading') === '1',
    replicas: Number(info.get('connected_slaves') ?? 0),
    logsEveryWrite,
    syncsEveryWrite:
      logsEveryWrite && sync.get('appendfsync') === 'always' && sync.get('no-appendfsync-on-rewrite') === 'no',
    marker,
  };
};
