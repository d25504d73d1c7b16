import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileDirectory, createPasswordHashing, type Directory } from '../../src/directory/index.ts';
import type { DirectoryFixture, LawUser } from '../../src/directory/laws.ts';

export const hashing = createPasswordHashing();
const hashes = new Map<string, Promise<string>>();

/** One hash for each password of all tests. */
export const hashOf = (password: string): Promise<string> => {
  const known = hashes.get(password) ?? hashing.hash(password, password);
  hashes.set(password, known);
  return known;
};

/** The id of a user in the fixtures. */
const idOf = (login: string): string => createHash('sha256').update(login).digest('hex').slice(0, 20);

const listed = async ({ login, password, name, email, state }: LawUser) => ({
  subject: idOf(login),
  logins: [login],
  passwordHash: await hashOf(password),
  claims: { name, email },
  ...(state && { state }),
});

export interface FileFixture extends DirectoryFixture {
  /** Replaces the users of the file. */
  write(users: readonly LawUser[]): Promise<void>;
  remove(): void;
}

/** Users in a file of a temporary folder. An outage is the absence of the file. */
export const createFileFixture = (name = 'file'): FileFixture => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'));
  const path = join(folder, 'users.json');
  const write = async (users: readonly LawUser[]): Promise<void> => {
    await writeFile(`${path}.new`, JSON.stringify(await Promise.all(users.map(listed))));
    await rename(`${path}.new`, path);
  };
  return {
    open: async (users): Promise<Directory> => {
      await write(users);
      return createFileDirectory({ name, path, hashing });
    },
    write,
    stop: () => rename(path, `${path}.away`),
    start: () => rename(`${path}.away`, path),
    remove: () => rmSync(folder, { recursive: true }),
  };
};
