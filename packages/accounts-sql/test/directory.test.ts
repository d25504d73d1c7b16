import { randomUUID } from 'node:crypto';

import { type DirectoryFixture, type LawUser, lawsFor } from '@carnet/accounts/directory/laws';
import { startPostgres } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';

import { sql } from 'kysely';
import { describe, test } from 'vitest';
import { hashing, hashOf } from '../../accounts/test/directory/file-fixture.ts';
import { type AccountsDatabase, openAccountsDatabase, openSqlDirectory } from '../src/index.ts';
import { insertUsers } from '../src/users/insert-users.ts';
import { useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

/** Below the rules for new users: the logins of the laws have every character that a login may have. */
const replaceUsers = async ({ tables }: AccountsDatabase, users: readonly LawUser[]): Promise<void> => {
  for (const table of ['carnet_user', 'carnet_identifier', 'carnet_credential'] as const)
    await tables.deleteFrom(table).execute();
  const drafts = await Promise.all(
    users.map(async ({ login, password, name, email, state }) => ({
      id: randomUUID(),
      state: state ?? ('active' as const),
      claims: { name, email },
      identifiers: [{ kind: 'username' as const, value: login }],
      passwordHash: await hashOf(password),
    })),
  );
  await insertUsers(tables, drafts, Date.now());
};

const keepsTheLaws = (prepare: () => { database: AccountsDatabase; stop(): Promise<void>; start(): Promise<void> }) => {
  const fixture: DirectoryFixture = {
    async open(users) {
      const { database } = prepare();
      await replaceUsers(database, users);
      return openSqlDirectory({ database, name: 'local', hashing });
    },
    stop: () => prepare().stop(),
    start: () => prepare().start(),
  };
  test.for(lawsFor(['changePassword']))('keeps the law $name', ({ check }) => check(fixture));
};

describe('the SQL directory on SQLite', () => {
  const place = beforeTests(async () => ({ url: await createUrl('sqlite') }));
  const database = beforeTests(() => openAccountsDatabase({ url: place.url }));
  const saboteur = beforeTests(() => openAccountsDatabase({ url: place.url }));
  const rename = async (from: string, to: string): Promise<void> => {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(saboteur.tables);
  };
  keepsTheLaws(() => ({
    database,
    stop: () => rename('carnet_user', 'away'),
    start: () => rename('away', 'carnet_user'),
  }));
});

describe('the SQL directory on Postgres', () => {
  const server = beforeTests(() => startPostgres());
  const database = beforeTests(() => openAccountsDatabase({ url: `${server.url}?timeout=2000`, migrate: true }));
  keepsTheLaws(() => ({ database, stop: () => server.kill(), start: () => server.start() }));
});
