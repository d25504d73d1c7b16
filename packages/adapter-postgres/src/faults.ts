import { StoreUnfitError } from '@carnet/adapter-contract';
import pg from 'pg';

/** The SQLSTATE of the server's error; undefined if the server did not answer. */
const sqlStateOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined);

const isOf = (states: RegExp) => (error: unknown) => states.test(sqlStateOf(error) ?? '');

/** The statement ran into another transaction and was undone whole: it may go through the next time. */
export const isCollision = isOf(/^(40001|40P01)$/);

/** A condition of a commit did not hold; see `createCommitStatement`. */
export const isRefusal = isOf(/^22012$/);

/** A prepared statement is missing (26000), or no longer matches the tables (0A000): it did not run. */
export const isStale = isOf(/^(26000|0A000)$/);

/**
 * A prepared statement is missing (26000), or has the name of another session's (42P05): a pooler gives each transaction
 * another session.
 */
export const isUnprepared = isOf(/^(26000|42P05)$/);

/** The error of `isolationGuard`. No other statement of Carnet causes it. */
export const isUnisolated = isOf(/^22P02$/);

/** A pooler refuses settings of the session: PgBouncer (08P01), the proxy of RDS (0A000). No connection was made. */
export const refusesOptions = (error: unknown): boolean =>
  isOf(/^(08P01|0A000)$/)(error) && /startup parameter|command-line options/i.test((error as Error).message);

const isFarewell = isOf(/^(08|57P)/);

/** The connection failed, with or without a message of the server. If a statement was sent, its outcome is unknown. */
export const isLoss = (error: unknown): boolean =>
  isFarewell(error) ||
  (sqlStateOf(error) === undefined && !(error instanceof TypeError || error instanceof RangeError));

/**
 * About the statement, not about the session; 57014 is a statement that took too long. A server that is read-only now
 * (25006), or a standby (2201F), may stay so: better another session. One that does not know what became of a statement
 * (40003, CockroachDB's) is none that has refused it.
 */
export const leavesSessionUsable = isOf(/^(40(?!003)|22(?!01F)|23|42|54|57014$)/);

/** Whether the statement certainly had no effect, and another one may succeed. */
export const changedNothing = (error: unknown): boolean => leavesSessionUsable(error) || isStale(error);

const migrate = 'Run `carnet migrate up`.';

/**
 * The messages with the action of the operator. The server's message is only in the cause, because it may quote the
 * statement.
 */
const remedies: Readonly<Record<string, string>> = {
  '42P01': `The tables of Carnet are not there. ${migrate}`,
  '42703': `The tables of Carnet are of an earlier release. ${migrate}`,
  '42501':
    'The user of the Postgres URL lacks a privilege. Grant it the privileges that the README of the adapter lists.',
  '3D000': 'There is no such database. Create it, or correct the Postgres URL.',
  // See `primaryGuard`.
  '2201F': 'Postgres is a standby here. The Postgres URL has to lead to the primary.',
  '28P01': 'Postgres refuses the password. Correct the Postgres URL.',
  '28000': 'Postgres refuses the user. Correct the Postgres URL, or pg_hba.conf.',
};

const isolationRemedy =
  'Transactions are not "repeatable read", although Carnet begins them so: it does not work on this server.';

const optionsRemedy =
  'The pooler refuses the parameter "options" of the Postgres URL. Migrate on a connection to Postgres itself, or set ' +
  'them for the role (ALTER ROLE ... SET).';

const remedyOf = (error: unknown): string | undefined => {
  if (isUnisolated(error)) return isolationRemedy;
  return refusesOptions(error) ? optionsRemedy : remedies[sqlStateOf(error) ?? ''];
};

/** The same error, or one that says what to do about it. */
export const explain = (error: unknown): unknown => {
  const remedy = remedyOf(error);
  return remedy === undefined ? error : new StoreUnfitError(remedy, { cause: error });
};
