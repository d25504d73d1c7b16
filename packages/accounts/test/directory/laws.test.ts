import { problemsIn } from '@carnet/adapter-contract/kit';
import { afterAll, describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/index.ts';
import { type DirectoryFixture, type LawUser, lawsFor } from '../../src/directory/laws.ts';
import { breakFixture, mutants } from '../../src/directory/mutants.ts';
import { createFileFixture } from './file-fixture.ts';

const file = createFileFixture();
afterAll(() => file.remove());

/** A correct directory with every optional operation. */
const complete: DirectoryFixture = {
  stop: () => file.stop(),
  start: () => file.start(),
  open: async (initial): Promise<Directory> => {
    let users: readonly LawUser[] = initial;
    const directory = await file.open(users);
    return {
      ...directory,
      authenticate: async (login, password) => {
        const user = await directory.find(login);
        return user && (await directory.verify(user, password)).accepted ? user : undefined;
      },
      changePassword: async (user, current, next) => {
        const verdict = await directory.verify(user, current);
        if (!verdict.accepted) return { changed: false, reason: verdict.reason };
        if (next === '' || next.includes('\0')) return { changed: false, reason: 'weak_password' };
        users = users.map((each) => (each.name === user.claims.name ? { ...each, password: next } : each));
        await file.write(users);
        return { changed: true };
      },
    };
  },
};

const laws = lawsFor(['changePassword', 'authenticate']);

describe('the laws as data', () => {
  test('names are unique, each law is one sentence, and each law and mutant has its counterpart', () => {
    expect(problemsIn(laws, mutants)).toEqual([]);
  });

  test('a directory must list the optional operations that it has', async () => {
    const law = lawsFor(['changePassword'])[0];
    await expect(law?.check(complete)).rejects.toThrow('lawsFor() must list authenticate');
    await expect(law?.check(file)).rejects.toThrow('lawsFor() must list changePassword');
  });
});

describe('the laws', () => {
  test.for(laws)('$name is kept by a correct directory', ({ check }) => check(complete));

  test.for(mutants)('$breaks catches $name', async (mutant) => {
    const law = laws.find(({ name }) => name === mutant.breaks);
    const error = await law?.check(breakFixture(complete, mutant)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    // A bug in the law or the mutant is no proof.
    expect(error).not.toBeInstanceOf(TypeError);
  });
});
