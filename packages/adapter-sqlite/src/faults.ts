import { StoreUnfitError } from '@carnet/adapter-contract';

/** https://sqlite.org/rescode.html: the low byte of what node:sqlite calls `errcode`. */
const codes = { error: 1, busy: 5, readOnly: 8, corrupt: 11, cannotOpen: 14, notADatabase: 26 } as const;

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** Another connection holds the lock. Nothing was changed: it may be tried again. */
export const isBusy = (error: unknown): boolean => codeOf(error) === codes.busy;

export const tablesAreMissing = 'The SQLite store lacks Carnet\'s tables: restart Carnet, or run "carnet migrate up".';

/** The action of the operator for errors that waiting does not solve. */
const remedyFor = (error: unknown, path: string): string | undefined => {
  switch (codeOf(error)) {
    case codes.error:
      return /^no such (?:table|column)/.test((error as Error).message) ? tablesAreMissing : undefined;
    case codes.readOnly:
      return `${path} can't be written: Carnet needs to write the file and to create files in its folder.`;
    case codes.cannotOpen:
      return `${path} can't be opened: it has to be a file that Carnet may read and write, in a folder it may write.`;
    case codes.notADatabase:
      return `${path} is not a SQLite database: name another file.`;
    case codes.corrupt:
      return `${path} is damaged: restore it from a backup.`;
    default:
      return undefined;
  }
};

/** The same error, or a StoreUnfitError if an operator must act. */
export const explain = (error: unknown, path: string): unknown => {
  const remedy = remedyFor(error, path);
  return remedy === undefined ? error : new StoreUnfitError(remedy, { cause: error });
};
