import { readFile, stat } from 'node:fs/promises';
import { parseJson } from '@carnet/adapter-contract/kit';
import { checkStep } from '../check-step.ts';
import { DirectoryError } from '../directory-error.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import type { Directory } from '../port.ts';
import { createListDirectory } from './list-directory.ts';
import { parseUserList, type UserList } from './user-list.ts';

export interface FileDirectoryOptions {
  readonly name: string;
  /** A JSON file: an array of `{ subject, email?, logins?, passwordHash, state?, claims? }`. */
  readonly path: string;
  readonly hashing: Pick<PasswordHashing, 'verify' | 'decoy'>;
}

const parse = (text: string): UserList => {
  const json = parseJson(text);
  if (json === undefined) throw new Error('is not JSON');
  return parseUserList(json);
};

/** Reads the file, and again whenever it has changed. */
const createReader = ({ name, path }: Pick<FileDirectoryOptions, 'name' | 'path'>) => {
  let current: { readonly version: string; readonly list: Promise<UserList> } | undefined;
  const fail = (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DirectoryError('unavailable', name, `${path}: ${reason}`, { cause: error });
  };

  return async (): Promise<UserList> => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (current?.version !== version) current = { version, list: readFile(path, 'utf8').then(parse) };
      return await current.list;
    } catch (error) {
      current = undefined;
      // A file that is missing or not valid is an outage. An empty list instead would refuse right passwords.
      return fail(error);
    }
  };
};

/**
 * A directory in a JSON file. A change of the file takes effect with the next request. Replace the file as a whole (write
 * another one and rename it): during an outage, which includes a half-written file, no user can sign in.
 */
export const createFileDirectory = ({ name, path, hashing }: FileDirectoryOptions): Directory => {
  const users = createReader({ name, path });
  return createListDirectory({ name, users, hashing, check: async () => [await checkStep(path, 'read', users)] });
};
