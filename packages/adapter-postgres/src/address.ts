import { StoreUnfitError } from '@carnet/adapter-contract';
import pg from 'pg';
import { parseOptions, type Setting, toStartupOptions } from './session-settings.ts';

/** The settings of a URL. */
export interface Address {
  /** The URL for pg, without the parameters below. */
  readonly connectionString: string;
  /** Settings of every session, or of every transaction behind a pooler. */
  readonly settings: readonly Setting[];
  /** The settings in the URL, as `options` of the startup packet. */
  readonly ownOptions: string | undefined;
  /** How many connections at most. */
  readonly poolSize: number;
  /** How long a call may take, all its attempts together. */
  readonly timeoutMs: number;
}

/** The pool of an app. */
export interface SharedPool extends Pick<Address, 'poolSize' | 'timeoutMs'> {
  readonly pool: pg.Pool;
  /** Settings of every transaction. */
  readonly settings: readonly Setting[];
}

/**
 * One order for all plans: by key, independent of the table statistics. A plan made while the table was small and kept
 * while it grew would read the whole of it.
 */
const plannerSettings: readonly Setting[] = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['jit', 'off'],
];

const timeoutSettings = (timeoutMs: number): readonly Setting[] => [
  // Before the client gives up: then the statement has ended on the server, too.
  ['statement_timeout', `${Math.ceil(timeoutMs * 0.9)}`],
  ['idle_in_transaction_session_timeout', `${timeoutMs}`],
];

const sessionSettings = (timeoutMs: number): readonly Setting[] => [
  // A revocation beside a rotation fails on it, and is repeated: under read committed it would miss what the rotation put.
  ['default_transaction_isolation', 'repeatable read'],
  ...timeoutSettings(timeoutMs),
];

const takeNumber = (parameters: URLSearchParams, name: string, fallback: number, [least, most]: [number, number]) => {
  const text = parameters.get(name);
  parameters.delete(name);
  if (text === null) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new StoreUnfitError(`The parameter "${name}" of the Postgres URL has to be a number from ${least} to ${most}.`);
};

const takePlanner = (parameters: URLSearchParams): readonly Setting[] => {
  const planner = parameters.get('planner') ?? 'fixed';
  parameters.delete('planner');
  if (planner === 'fixed') return plannerSettings;
  if (planner === 'server') return [];
  throw new StoreUnfitError('The parameter "planner" of the Postgres URL has to be "fixed" or "server".');
};

/** The URL may hold a password: nothing of it is in the message, nor in a cause. */
const assertReadable = (connectionString: string): void => {
  try {
    // A password that is not encoded ends the host too early, and a part of it would be looked up as one.
    const { pathname, hash, username, password } = new URL(connectionString);
    if (/[@:]/.test(pathname) || hash !== '') throw new Error('The password must be percent-encoded.');
    decodeURIComponent(username + password);
    new pg.Client({ connectionString });
  } catch {
    throw new StoreUnfitError(
      'The Postgres URL cannot be parsed. It must be like "postgres://user:password@host:5432/database"; ' +
        'encode special characters of the password, and check that the certificate files that it names exist.',
    );
  }
};

/** @throws StoreUnfitError when the URL can't be used. */
export const parseAddress = (url: string): Address => {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new StoreUnfitError('The URL of a Postgres store begins with "postgres://" or "postgresql://".');
  const [base, query] = url.split('?', 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  const poolSize = takeNumber(parameters, 'pool', 10, [1, 1_000]);
  const timeoutMs = takeNumber(parameters, 'timeout', 5_000, [100, 600_000]);
  const settings = [...sessionSettings(timeoutMs), ...takePlanner(parameters)];
  const own = parseOptions(parameters.get('options') ?? '');
  parameters.delete('options');
  // The user's own come last: they win.
  settings.push(...own);
  const rest = parameters.toString();
  const connectionString = rest === '' ? base : `${base}?${rest}`;
  assertReadable(connectionString);
  const ownOptions = own.length > 0 ? toStartupOptions(own) : undefined;
  return { connectionString, settings, ownOptions, poolSize, timeoutMs };
};

const sharedTimeoutMs = 5_000;

/** The connections of an app, each used for one transaction at a time. */
export const sharedPool = (pool: pg.Pool): SharedPool => ({
  pool,
  poolSize: pool.options.max ?? 10,
  timeoutMs: sharedTimeoutMs,
  settings: [...timeoutSettings(sharedTimeoutMs), ...plannerSettings],
});
