import { StoreUnfitError } from '@carnet/adapter-contract';

/** The number of the server's error; undefined if the server did not answer. */
const numberOf = (error: unknown): number | undefined => {
  // An error of the client, such as ECONNRESET, has a number, too, but no SQLSTATE of the server.
  const { errno, sqlState } = error as { readonly errno?: unknown; readonly sqlState?: unknown };
  return error instanceof Error && typeof errno === 'number' && sqlState !== undefined ? errno : undefined;
};

const isOf =
  (...numbers: readonly number[]) =>
  (error: unknown): boolean =>
    numbers.includes(numberOf(error) ?? 0);

/**
 * The statement ran into another transaction: a deadlock (1213), a lock that was not released in time (1205), a row that
 * changed since the snapshot (1020). After a rollback it may go through the next time.
 */
export const isCollision = isOf(1213, 1205, 1020);

/** A condition of a commit did not hold; see `failIf`. */
export const isRefusal = isOf(1690);

/** A server that has no such variable. */
export const isUnknownVariable = isOf(1193);

export const readOnlyServer = 'The server is read-only: a replica? The MySQL URL has to lead to the primary.';

/** Outside of a commit, the only condition is that the server is the primary: see `primaryGuard`. */
export const faultOf = (error: unknown, isCommit: boolean): unknown =>
  isRefusal(error) && !isCommit ? new StoreUnfitError(readOnlyServer, { cause: error }) : error;

/**
 * The server goes down or ended the session: 1053, 1077 to 1080, 1317 (interrupted), 1927 and 4031 (ended), 1129 (host is
 * blocked), 1040 (too many connections), 1158 to 1161 (network), 1047 (a node of Galera that is not ready).
 */
const isFarewell = isOf(1040, 1047, 1053, 1077, 1078, 1079, 1080, 1129, 1158, 1159, 1160, 1161, 1317, 1927, 4031);

/** The connection failed, with or without a message of the server. If a statement was sent, its outcome is unknown. */
export const isLoss = (error: unknown): boolean =>
  isFarewell(error) || (numberOf(error) === undefined && !(error instanceof TypeError || error instanceof RangeError));

/** Nothing was sent: the connection was closed while it was idle, or a node of Galera takes no statements. */
export const wasNotRun = (error: unknown): boolean =>
  isOf(1047, 1040)(error) || (error instanceof Error && /in closed state/.test(error.message));

/** The server is read-only: another one may be the primary now. Better another session. */
const isReadOnly = isOf(1290, 1792, 1836);

/** A statement was not sent, because the server would refuse it for its size. Another RangeError is a bug. */
export class PacketError extends RangeError {
  override readonly name = 'PacketError';
}

/** About the statement, not about the session. 3024 and 1969: it took too long. */
export const leavesSessionUsable = (error: unknown): boolean =>
  error instanceof PacketError || (numberOf(error) !== undefined && !isFarewell(error) && !isReadOnly(error));

/** Whether the statement certainly had no effect, and another one may succeed. */
export const changedNothing = (error: unknown): boolean => leavesSessionUsable(error) || wasNotRun(error);

const migrate = 'Run `carnet migrate up`.';
const grants = 'Grant it the privileges that the README of the adapter lists.';

/**
 * The messages with the action of the operator. The server's message is only in the cause, because it may quote the
 * statement.
 */
const remedies: Readonly<Record<number, string>> = {
  1146: `The tables of Carnet are not there. ${migrate}`,
  1054: `The tables of Carnet are of an earlier release. ${migrate}`,
  1142: `The user of the MySQL URL lacks a privilege. ${grants}`,
  1044: `The user of the MySQL URL may not use the database. ${grants}`,
  1049: 'There is no such database. Create it, or correct the MySQL URL.',
  1045: 'The server refuses the user or the password. Correct the MySQL URL.',
  1698: 'The server refuses the user. Correct the MySQL URL, or the authentication plugin of the user.',
  1665: 'The binary log has the format STATEMENT. Set binlog_format to ROW or MIXED.',
  1290: readOnlyServer,
  1792: readOnlyServer,
  1836: readOnlyServer,
};

/** The same error, or one that says what to do about it. */
export const explain = (error: unknown): unknown => {
  const remedy = remedies[numberOf(error) ?? 0];
  return remedy === undefined ? error : new StoreUnfitError(remedy, { cause: error });
};
