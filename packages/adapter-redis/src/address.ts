import { StoreUnfitError } from '@carnet/adapter-contract';
import type { RedisOptions } from 'ioredis';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** The options of a client that say which server it reaches, and as which user. */
export const connectionOptions = [
  'username',
  'password',
  'tls',
  'db',
  'path',
  'family',
  'sentinelUsername',
  'sentinelPassword',
] as const satisfies readonly (keyof RedisOptions)[];

/** The settings of a URL. */
export interface Address {
  readonly mode: 'single' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some nodes of the Cluster. */
  readonly hosts: readonly [Host, ...Host[]];
  /** The name of the master in the Sentinels. */
  readonly masterName?: string;
  /** Credentials, TLS and the number of the database. */
  readonly options: Pick<RedisOptions, (typeof connectionOptions)[number]>;
  /** Whether the Sentinels ask for the same credentials. */
  readonly sentinelAuth: boolean;
  /** The prefix of every key. */
  readonly prefix: string;
  /** The time limit of a call. Then it throws. */
  readonly timeoutMilliseconds: number;
  /** How many replicas have to have what is taken back before it is answered. */
  readonly replicas: number;
}

const modes: Readonly<Record<string, Address['mode']>> = {
  redis: 'single',
  'redis-sentinel': 'sentinel',
  'redis-cluster': 'cluster',
};

const shape =
  /^(redis|rediss)(-sentinel|-cluster)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/;

// The URL may hold a password: no message repeats it.
const refuse = (problem: string): never => {
  throw new StoreUnfitError(`The Redis URL can't be used: ${problem}`);
};

const parseHost = (text: string, defaultPort: number): Host => {
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? refuse('a host is malformed.');
  if (Number(port ?? defaultPort) > 65_535) refuse('a port is above 65535.');
  return { host: bracketed ?? plain ?? '', port: Number(port ?? defaultPort) };
};

const decode = (text: string | undefined): string | undefined => {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    return refuse('its credentials are not percent-encoded.');
  }
};

const parseDatabase = (text: string | undefined): number | undefined => {
  if (!text) return undefined;
  return /^\d{1,4}$/.test(text) ? Number(text) : refuse('the database has to be a number.');
};

/** Path: the database of one server; the master's name, and perhaps the database, where there are Sentinels. */
const parsePath = (mode: Address['mode'], path = ''): Pick<Address, 'masterName'> & { db?: number } => {
  const [first, second, ...more] = path.split('/').slice(1);
  if (more.length > 0) refuse('its path is too long.');
  if (mode === 'sentinel')
    return { masterName: decode(first) ?? refuse("the master's name is missing."), db: parseDatabase(second) };
  if (second) refuse('its path is too long.');
  if (mode === 'cluster' && first) refuse('a Cluster has no numbered databases.');
  return { db: parseDatabase(first) };
};

const parameters = ['prefix', 'timeout', 'replicas', 'tls', 'sentinelAuth'];

const parseReplicas = (mode: Address['mode'], text: string | null): number => {
  if (mode === 'single' && text !== null && text !== '0')
    refuse('replicas is for redis-sentinel:// and redis-cluster://.');
  if (text === null) return mode === 'single' ? 0 : 1;
  return /^\d$/.test(text) ? Number(text) : refuse('replicas is a number from 0 to 9.');
};

const parseQuery = (mode: Address['mode'], query = '') => {
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((name) => !parameters.includes(name));
  if (unknown) refuse(`it takes the parameters ${parameters.join(', ')} and no other.`);
  const prefix = given.get('prefix') ?? 'carnet:';
  // A brace would decide the hash slot; a wildcard would take others' keys along when the data set is removed.
  if (!/^[\w.:-]{1,64}$/.test(prefix)) refuse('prefix takes 1 to 64 letters, digits, and any of _ . : -');
  const timeoutMilliseconds = Number(given.get('timeout') ?? 5_000);
  if (!Number.isInteger(timeoutMilliseconds) || timeoutMilliseconds < 100 || timeoutMilliseconds > 60_000)
    refuse('timeout is in milliseconds, from 100 to 60000.');
  const flags = { tls: given.get('tls') === 'true', sentinelAuth: given.get('sentinelAuth') === 'true' };
  return { prefix, timeoutMilliseconds, replicas: parseReplicas(mode, given.get('replicas')), ...flags };
};

/**
 * Read `redis://`, `redis-sentinel://` and `redis-cluster://`, and the same with `rediss` for TLS.
 *
 * @throws StoreUnfitError
 */
export const parseAddress = (url: string): Address => {
  const [, scheme, kind = '', username, password, hosts = '', path, query] =
    shape.exec(url) ?? refuse('it has to look like redis://user:password@host:port/database.');
  const mode = modes[`redis${kind}`] ?? refuse('its scheme is unknown.');
  const { tls, ...settings } = parseQuery(mode, query);
  const { masterName, db } = parsePath(mode, path);
  const [first, ...others] = hosts.split(',').map((host) => parseHost(host, mode === 'sentinel' ? 26_379 : 6_379));
  if (mode === 'single' && others.length > 0) refuse('several hosts are for redis-sentinel:// and redis-cluster://.');
  return {
    mode,
    hosts: [first ?? refuse('a host is missing.'), ...others],
    masterName,
    options: {
      username: decode(username),
      password: decode(password),
      db,
      tls: tls || scheme === 'rediss' ? {} : undefined,
    },
    ...settings,
  };
};
