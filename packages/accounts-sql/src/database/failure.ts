import { DirectoryError } from '@carnet/accounts/directory';
import pg from 'pg';

const migrate = 'Run `carnet migrate up`.';

/** The remedy by SQLSTATE. Only the cause contains the server's message. */
const remedies: Readonly<Record<string, string>> = {
  '42P01': `The tables of the accounts are missing. ${migrate}`,
  '42703': `The tables of the accounts are from an earlier release. ${migrate}`,
  '42501': 'The user of the Postgres URL lacks a privilege on the tables of the accounts. Grant it.',
  '3D000': 'The database does not exist. Create it, or correct the Postgres URL.',
  '25006': 'Postgres is read-only: the Postgres URL must name the primary.',
  '28P01': 'Postgres refuses the password. Correct the Postgres URL.',
  '28000': 'Postgres refuses the user. Correct the Postgres URL, or pg_hba.conf.',
};

/** The low byte of `errcode`: https://sqlite.org/rescode.html */
const sqliteRemedies: Readonly<Record<number, string>> = {
  5: 'Another process has locked the SQLite file for too long.',
  8: 'The SQLite file cannot be written. Carnet must write the file and create files in its folder.',
  11: 'The SQLite file is damaged: restore it from a backup.',
  13: 'The disk of the SQLite file is full.',
  14: 'The SQLite file cannot be opened. Carnet must read and write the file and its folder.',
  26: 'The file is not a SQLite database: name another file.',
};

const fileRemedies: Readonly<Record<string, string>> = {
  ENOENT: 'The folder of the SQLite file is missing: create it, or name another file.',
  EACCES: 'The SQLite file cannot be created: Carnet must write in its folder.',
};

export const sqliteCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const remedyFor = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return remedies[error.code ?? ''];
  if (error instanceof Error && /^no such (?:table|column)/.test(error.message)) return remedies['42P01'];
  return sqliteRemedies[sqliteCodeOf(error) ?? -1] ?? fileRemedies[(error as NodeJS.ErrnoException).code ?? ''];
};

/**
 * The failure of a statement or a connection. Each one is an outage, whatever the reason, so that no failure looks like a
 * wrong password or an unknown user.
 */
export const toOutage = (error: unknown): DirectoryError =>
  error instanceof DirectoryError
    ? error
    : new DirectoryError('unavailable', 'accounts', remedyFor(error) ?? 'The accounts database failed.', {
        cause: error,
      });

/** Whether a statement failed because another row has the value of a unique index. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof DirectoryError && error.cause instanceof pg.DatabaseError && error.cause.code === '23505';
