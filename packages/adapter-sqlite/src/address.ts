import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnfitError } from '@carnet/adapter-contract';

/** Where the database is and how it is used: what a URL such as `sqlite:carnet.db?synchronous=normal` says. */
export interface Address {
  /** Absolute, so that SQLite takes it for a path and nothing else. */
  readonly path: string;
  /**
   * `full`: a commit survives a power loss. `normal`: it survives `kill -9`, and the last ones may be lost with the
   * power.
   */
  readonly synchronous: 'full' | 'normal';
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyTimeoutMs: number;
}

const parseSynchronous = (value = 'full'): Address['synchronous'] => {
  if (value === 'full' || value === 'normal') return value;
  throw new StoreUnfitError(`synchronous=${value} in the URL of the SQLite store: it is full or normal.`);
};

const parseBusyTimeout = (value = '5000'): number => {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new StoreUnfitError(`busyTimeoutMs=${value} in the URL of the SQLite store: it is 0 to 999999 milliseconds.`);
};

const parameterNames = ['synchronous', 'busyTimeoutMs'];

const parseParameters = (query: string) => {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (parameterNames.includes(name) && parameters.getAll(name).length === 1) continue;
    throw new StoreUnfitError(
      `The URL of the SQLite store takes ${parameterNames.join(' and ')}, each once: remove ${name}.`,
    );
  }
  return Object.fromEntries(parameters);
};

const parsePath = (encoded: string): string => {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    throw new StoreUnfitError('The path in the URL of the SQLite store is not percent-encoded: write % as %25.');
  }
  if (path === ':memory:') throw new StoreUnfitError('sqlite::memory: is no store. Use the URL memory: instead.');
  if (path === '' || path.includes('\0')) {
    throw new StoreUnfitError('The URL of the SQLite store names no file: write sqlite:carnet.db.');
  }
  return resolve(path);
};

/** `sqlite:carnet.db`, `sqlite://./carnet.db`, `sqlite:///var/lib/carnet.db`. Throws StoreUnfitError. */
export const parseAddress = (url: string): Address => {
  const [, path, query] = /^sqlite:(?:\/\/)?([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  if (path === undefined) throw new StoreUnfitError('The SQLite store opens URLs such as sqlite:carnet.db.');
  const { synchronous, busyTimeoutMs } = parseParameters(query ?? '');
  return {
    path: parsePath(path),
    synchronous: parseSynchronous(synchronous),
    busyTimeoutMs: parseBusyTimeout(busyTimeoutMs),
  };
};

/**
 * The file of a database that an app has open. Carnet opens a connection of its own to it, so that its transactions and
 * those of the app never mix. Throws StoreUnfitError.
 */
export const addressOfDatabase = (database: Pick<DatabaseSync, 'location'>): Address => {
  const path = database.location();
  if (path === null) throw new StoreUnfitError('The SQLite database is in memory: Carnet needs one in a file.');
  return { ...parseAddress('sqlite:app'), path };
};
