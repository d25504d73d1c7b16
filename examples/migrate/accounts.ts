import { join } from 'node:path';
import { openUsers } from '@carnet/accounts-sql';
import { type Carnet, createProvider } from '@carnet/provider';
import { afterAll, beforeAll } from 'vitest';
import { folderForTests } from '../../test/servers/src/folder-for-tests.ts';

/** A provider with a database of users, for the tests of a file. */
export const openAccounts = () => {
  const database = `sqlite:${join(folderForTests(), 'accounts.db')}`;
  let carnet: Carnet;
  beforeAll(async () => {
    carnet = await createProvider({
      dev: true,
      issuer: 'http://127.0.0.1:4444',
      accounts: { database, directories: [{ name: 'people', kind: 'sql', subjectPrefix: '' }] },
      log: { level: 'silent' },
    });
  });
  afterAll(() => carnet.close());
  return {
    carnet: () => carnet,
    openUsers: () => openUsers({ url: database }),
    /** The subject of the user, or the state of the sign-in. */
    async signIn(login: string, password: string) {
      const answer = await carnet.accounts?.signIn.password({ login, password, binding: 'challenge' });
      return answer?.state === 'done' ? answer.subject : answer?.state;
    },
    async importAll(users: readonly object[]) {
      const opened = await openUsers({ url: database });
      const problems: string[] = [];
      const lines = users.map((user) => JSON.stringify(user));
      const { imported } = await opened.importLines({ lines, onProblem: ({ message }) => problems.push(message) });
      await opened.close();
      return { imported, problems };
    },
  };
};
