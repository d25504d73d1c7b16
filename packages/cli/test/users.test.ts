import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { createUsers, openAccountsDatabase, openSqlDirectory } from '@carnet/accounts-sql';
import { openTestPostgres } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCarnet } from './run-carnet.ts';

const folder = folderForTests();
let url = `sqlite:${join(folder, 'accounts.db')}`;

const directories = JSON.stringify([{ name: 'local', kind: 'sql', subjectPrefix: 'own-' }]);

const carnet = (args: readonly string[], input = '') => {
  const env = {
    ACCOUNTS_DATABASE: url,
    ACCOUNTS_DIRECTORIES: directories,
    ACCOUNTS_MIGRATE: 'true',
    ACCOUNTS_PASSKEYS_RP_NAME: 'Example Shop',
  };
  return runCarnet(args, env, input);
};

const signIn = async (login: string, password: string) => {
  const database = await openAccountsDatabase({ url });
  try {
    const directory = openSqlDirectory({ database, name: 'local', hashing: createPasswordHashing() });
    const user = await directory.find(login);
    return user && (await directory.verify(user, password));
  } finally {
    await database.close();
  }
};

describe.each(['sqlite', 'postgres'])('the commands for users on %s', (engine) => {
  let postgres: Awaited<ReturnType<typeof openTestPostgres>> | undefined;
  beforeAll(async () => {
    if (engine !== 'postgres') return;
    postgres = await openTestPostgres();
    url = await postgres.createDatabase();
  });
  afterAll(() => postgres?.close());

  it('refuse the name of the site as a password', async () => {
    const create = ['users', 'create', '--email', 'brand@example.com', '--password-stdin'];
    const refused = await carnet(create, 'Example-Shop1\n');
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('the name of this site');
  });

  it('manage one user from creation to deletion', async () => {
    const created = await carnet(
      ['users', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--password-stdin', '--quiet'],
      'Correct horse battery\r\n',
    );
    expect(created).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^own-[\da-f-]{36}$/), err: '' });
    const subject = created.out;
    expect(await signIn('ada@example.com', 'Correct horse battery')).toEqual({ accepted: true });

    for (const name of ['ADA@example.com', subject, subject.slice('own-'.length)]) {
      const { out } = await carnet(['users', 'show', name, '--format', 'json']);
      expect(JSON.parse(out)).toMatchObject({ subject, state: 'active', has_password: true, factors: [] });
      expect(out).not.toContain('argon2');
    }

    expect(await carnet(['users', 'set-password', subject], 'Another long password\n')).toMatchObject({ exitCode: 0 });
    expect(await signIn('ada@example.com', 'Another long password')).toEqual({ accepted: true });

    const disabled = await carnet(['users', 'disable', 'ada@example.com']);
    expect(disabled.err).toContain(`/admin/oauth2/auth/sessions/login?subject=${subject}`);
    expect(await signIn('ada@example.com', 'Another long password')).toEqual({ accepted: false, reason: 'disabled' });
    await carnet(['users', 'enable', 'ada@example.com']);
    expect(await signIn('ada@example.com', 'Another long password')).toEqual({ accepted: true });

    expect(await carnet(['users', 'delete', 'ada@example.com'])).toMatchObject({ exitCode: 0 });
    expect(await carnet(['users', 'show', subject])).toMatchObject({
      exitCode: 1,
      err: `carnet: There is no user "${subject}".`,
    });
  });

  it('show when users are deleted, and keep them', async () => {
    const created = await carnet(['users', 'create', '--email', 'ada@example.com', '--quiet']);
    expect(await carnet(['users', 'keep', 'ada@example.com'])).toMatchObject({ exitCode: 0 });
    const schedule = async (at: number) => {
      const database = await openAccountsDatabase({ url });
      const users = createUsers({ database, hashing: createPasswordHashing() });
      await users.scheduleDeletion(created.out.slice('own-'.length), at);
      await database.close();
    };
    await schedule(Date.UTC(2100, 0, 1));
    const time = '2100-01-01T00:00:00.000Z';
    expect((await carnet(['users', 'list'])).out).toContain(`active, deleted ${time}`);
    const shown = await carnet(['users', 'show', 'ada@example.com', '--format', 'json']);
    expect(JSON.parse(shown.out)).toMatchObject({ delete_at: time });
    expect(await carnet(['users', 'keep', 'ada@example.com'])).toMatchObject({ exitCode: 0 });
    expect((await carnet(['users', 'list'])).out).not.toContain('deleted');
    await schedule(Date.UTC(2020, 0, 1));
    expect(await carnet(['users', 'keep', 'ada@example.com'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('too late'),
    });
    await carnet(['users', 'delete', 'ada@example.com']);
  });

  it.each([
    [['users', 'create', '--email', 'bob@example.com', '--password-stdin'], 'short\n', 'at least 8 characters'],
    [['users', 'create', '--email', 'bob@example.com', '--password-stdin'], '', 'on the standard input'],
    [['users', 'create', '--email', 'bob'], '', 'valid email address'],
    [['users', 'create'], '', '--email, --username or both'],
    [['users', 'list', '--page-size', '0'], '', '--page-size'],
    [['users', 'import', 'missing.jsonl'], '', "missing.jsonl can't be read (ENOENT)"],
  ])('refuse %j', async (args, input, message) => {
    const { exitCode, out, err } = await carnet(args, input);
    expect([exitCode === 0, out]).toEqual([false, '']);
    expect(err).toContain(message);
    expect(JSON.parse((await carnet(['users', 'list', '--format', 'json'])).out).items).toEqual([]);
  });

  it('import a file, report bad lines by number, and list all pages', async () => {
    const file = join(folder, 'users.jsonl');
    const users = Array.from({ length: 6_000 }, (_, index) => JSON.stringify({ email: `user${index}@example.com` }));
    writeFileSync(file, [...users.slice(0, 2), '{"email": "secret', ...users.slice(2)].join('\r\n'));
    const imported = await carnet(['users', 'import', file]);
    expect(imported.out).toBe('6001 lines: 6000 imported, 1 refused');
    expect(imported.err.split('\n')).toEqual(['line 3: the line is not valid JSON', '5001 lines ...']);
    expect(imported.exitCode).toBe(1);
    expect((await carnet(['users', 'import', '-'], users[0])).err).toBe(
      'line 1: a user with this id or login name exists',
    );
    const page = JSON.parse((await carnet(['users', 'list', '--format', 'json', '--page-size', '10'])).out);
    expect([page.items.length, page.is_last_page]).toEqual([10, false]);
    const next = await carnet(['users', 'list', '--format', 'json', '--page-token', page.next_page_token]);
    expect(JSON.parse(next.out).items).toHaveLength(100);
    const all = JSON.parse((await carnet(['users', 'list', '--all', '--format', 'json', '--page-size', '500'])).out);
    expect(new Set(all.items.map(({ subject }: { subject: string }) => subject)).size).toBe(6_000);
    expect(all.is_last_page).toBe(true);
  });
});

it('the commands name the missing settings if accounts are not configured', async () => {
  const { exitCode, err } = await runCarnet(['users', 'list']);
  expect(exitCode).toBe(1);
  expect(err).toContain('set accounts.database');
});
