import { resolve } from 'node:path';
import { DirectoryError } from '@carnet/accounts/directory';
import pg from 'pg';

/** The place of the accounts database. */
export type Address =
  | { readonly engine: 'sqlite'; readonly path: string; readonly timeoutMs: number }
  | {
      readonly engine: 'postgres';
      readonly connectionString: string;
      readonly poolSize: number;
      readonly timeoutMs: number;
    };

const refuse = (message: string): never => {
  throw new DirectoryError('invalid_configuration', 'accounts', message);
};

const takeNumber = (parameters: URLSearchParams, name: string, fallback: number, [least, most]: [number, number]) => {
  const text = parameters.get(name);
  parameters.delete(name);
  if (text === null) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  return refuse(`The parameter "${name}" of the database URL must be a number from ${least} to ${most}.`);
};

/** How long a call may wait for the server, or for the lock of another process, in milliseconds. */
const takeTimeout = (parameters: URLSearchParams): number => takeNumber(parameters, 'timeout', 5_000, [100, 600_000]);

const parsePath = (encoded: string): string => {
  let path = '';
  try {
    path = decodeURIComponent(encoded);
  } catch {
    refuse('The path in the database URL is not percent-encoded: write % as %25.');
  }
  if (path === '' || path === ':memory:' || path.includes('\0'))
    refuse('The database URL must name a file: write sqlite:accounts.db.');
  return resolve(path);
};

/** The URL may hold a password: the message does not quote it, and there is no cause. */
const assertReadable = (connectionString: string): void => {
  try {
    const { pathname, hash, username, password } = new URL(connectionString);
    // If the password is not encoded, a part of it would be looked up as a host name.
    if (/[@:]/.test(pathname) || hash !== '') throw new Error('The password must be percent-encoded.');
    decodeURIComponent(username + password);
    new pg.Client({ connectionString });
  } catch {
    refuse(
      'The Postgres URL cannot be parsed. It must be like "postgres://user:password@host:5432/database"; ' +
        'encode special characters of the password, and check that the certificate files that it names exist.',
    );
  }
};

const parsePostgres = (base: string, parameters: URLSearchParams): Address => {
  const poolSize = takeNumber(parameters, 'pool', 10, [1, 1_000]);
  const timeoutMs = takeTimeout(parameters);
  const rest = parameters.toString();
  const connectionString = rest === '' ? base : `${base}?${rest}`;
  assertReadable(connectionString);
  return { engine: 'postgres', connectionString, poolSize, timeoutMs };
};

const parseSqlite = (path: string, parameters: URLSearchParams): Address => {
  const timeoutMs = takeTimeout(parameters);
  const [unknown] = parameters.keys();
  if (unknown !== undefined) refuse(`The URL of a SQLite database has no parameter "${unknown}": remove it.`);
  return { engine: 'sqlite', path: parsePath(path), timeoutMs };
};

/**
 * Reads `sqlite:<path>` or `postgres://user:password@host:port/database`. Parameters: `timeout` (milliseconds, default
 * 5000), and `pool` of Postgres (connections, default 10).
 *
 * @throws DirectoryError `invalid_configuration` if the URL cannot be used
 */
export const parseAddress = (url: string): Address => {
  const [base, query] = url.split('?', 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  if (/^postgres(ql)?:\/\//.test(base)) return parsePostgres(base, parameters);
  const path = /^sqlite:(?:\/\/)?(.*)$/s.exec(base)?.[1];
  if (path === undefined) return refuse('The database URL must begin with "sqlite:" or "postgres://".');
  return parseSqlite(path, parameters);
};
