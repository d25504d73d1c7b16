import { StoreUnfitError } from '@carnet/adapter-contract';
import type { Pool, PoolOptions } from 'mysql2/promise';

/** The settings of a URL. */
export interface Address {
  /** Which server it is, as which user, and which database. */
  readonly server: Pick<PoolOptions, 'host' | 'port' | 'socketPath' | 'user' | 'password' | 'database' | 'ssl'>;
  /** How many connections at most. */
  readonly poolSize: number;
  /** How long a call may take, all its attempts together. */
  readonly timeoutMs: number;
}

/** The pool of an app. */
export interface SharedPool extends Pick<Address, 'poolSize' | 'timeoutMs'> {
  readonly pool: Pool;
}

const takeNumber = (parameters: URLSearchParams, name: string, fallback: number, [least, most]: [number, number]) => {
  const text = parameters.get(name);
  parameters.delete(name);
  if (text === null) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new StoreUnfitError(`The parameter "${name}" of the MySQL URL has to be a number from ${least} to ${most}.`);
};

const takeFlag = (parameters: URLSearchParams, name: string): boolean => {
  const text = parameters.get(name) ?? 'false';
  parameters.delete(name);
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StoreUnfitError(`The parameter "${name}" of the MySQL URL has to be "true" or "false".`);
};

const takeText = (parameters: URLSearchParams, name: string): string | undefined => {
  const text = parameters.get(name) ?? undefined;
  parameters.delete(name);
  return text;
};

/** The URL may hold a password: nothing of it is in the message, nor in a cause. */
const parseServer = (text: string) => {
  try {
    const { hostname, port, pathname, hash, username, password } = new URL(text);
    const database = decodeURIComponent(pathname.slice(1));
    // A password that is not encoded ends the host too early, and a part of it would be looked up as one.
    if (/[@:/]/.test(pathname.slice(1)) || hash !== '' || database === '') throw new Error('It has no database.');
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 3306 : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database,
    };
  } catch {
    throw new StoreUnfitError(
      'The MySQL URL cannot be parsed. It must be like "mysql://user:password@host:3306/database"; ' +
        'encode special characters of the password.',
    );
  }
};

/** @throws StoreUnfitError when the URL can't be used. */
export const parseAddress = (url: string): Address => {
  if (!/^(mysql|mariadb):\/\//.test(url))
    throw new StoreUnfitError('The URL of a MySQL store begins with "mysql://" or "mariadb://".');
  const [base = '', query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const poolSize = takeNumber(parameters, 'pool', 10, [1, 1_000]);
  const timeoutMs = takeNumber(parameters, 'timeout', 5_000, [100, 600_000]);
  const isEncrypted = takeFlag(parameters, 'tls');
  const socketPath = takeText(parameters, 'socket');
  const [unknown] = parameters.keys();
  if (unknown !== undefined)
    throw new StoreUnfitError(
      'The MySQL URL has a parameter besides "pool", "timeout", "tls" and "socket". Remove it.',
    );
  const server = {
    ...parseServer(base),
    ...(socketPath !== undefined && { socketPath }),
    // Without `verifyIdentity` any certificate of a known authority would do, of whatever host.
    ...(isEncrypted && { ssl: { rejectUnauthorized: true, verifyIdentity: true } }),
  };
  return { server, poolSize, timeoutMs };
};

/** The connections of an app, each used for one transaction at a time. */
export const sharedPool = (pool: Pool): SharedPool => ({
  pool,
  poolSize: pool.pool.config.connectionLimit || 10,
  timeoutMs: 5_000,
});
