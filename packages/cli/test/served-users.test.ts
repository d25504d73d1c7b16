import { join } from 'node:path';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { createUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { beforeEach, expect, test } from 'vitest';
import { createBrowser } from '../../provider/test/browser.ts';
import { registerClient } from '../../provider/test/clients.ts';
import { start } from '../../provider/test/harness.ts';
import { askLogin, login, refresh } from '../../provider/test/login.ts';
import { exitCodes } from '../src/command.ts';
import { runCarnet } from './run-carnet.ts';

const folder = folderForTests();
const database = `sqlite:${join(folder, 'accounts.db')}`;
// No server listens there: emails are sent in the background.
const mail = { url: 'smtp://127.0.0.1:9?tls=none', from: 'id@op.example' };
const accounts = { database, directories: [{ name: 'local', kind: 'sql' as const }], mail };
const instance = beforeTests(() => start({ config: { accounts } }));

let [count, ada, subject] = [0, '', ''];
beforeEach(async () => {
  count += 1;
  ada = `ada${count}@example.com`;
  const opened = await openAccountsDatabase({ url: database });
  const created = await createUsers({ database: opened, hashing: createPasswordHashing() }).create({ email: ada });
  await opened.close();
  if (!created.created) throw new Error(created.message);
  subject = `local.${created.user.id}`;
});

const carnet = (...args: string[]) => runCarnet(['users', ...args], { CARNET_ADMIN_URL: instance.admin });

const groups = (...args: string[]) => runCarnet(['groups', ...args], { CARNET_ADMIN_URL: instance.admin });

const bodyOf = async (...args: string[]) => JSON.parse((await carnet(...args, '--format', 'json')).out);

/** A remembered login of the user, and its state. */
const signIn = async () => {
  const client = await registerClient(instance, `app${count}`);
  const browser = createBrowser();
  const tokens = await login(instance, client, { browser, subject, login: { remember: true } });
  return async () => [
    (await askLogin(instance, client, { browser })).skip,
    (await refresh(instance, client, tokens.refresh_token)).status,
  ];
};

test('users update changes login names, claims and state, in the version that is given', async () => {
  const user = await bodyOf('update', ada, '--username', `a${count}`, '--claim', 'groups=["x"]', '--claim', 'note=a b');
  expect(user).toMatchObject({ subject, logins: [ada, `a${count}`], claims: { groups: ['x'], note: 'a b' } });
  const stale = await carnet('update', subject, '--name', 'Ada', '--if-version', '1');
  expect([stale.exitCode, stale.err]).toEqual([exitCodes.failed, expect.stringContaining('precondition_failed')]);
  const version = ['--if-version', String(user.version)];
  const changed = await bodyOf(
    'update',
    ada,
    '--username',
    '',
    '--claim',
    'note=null',
    '--state',
    'locked',
    ...version,
  );
  expect(changed).toMatchObject({ state: 'locked', logins: [ada], claims: { groups: ['x'] } });
  expect(await carnet('unlock', ada)).toMatchObject({ exitCode: 0, out: expect.stringContaining(subject) });
  expect((await bodyOf('update', ada, '--name', 'Ada')).state).toBe('active');
});

test.each([
  [['update', 'ada'], 'Name at least one member'],
  [['update', 'ada', '--claim', 'x'], '--claim must be of the form'],
  [['update', 'absent@example.com', '--name', 'x'], 'No directory has a user'],
  [['disable', 'absent@example.com', '--end-sessions'], 'No directory has a user'],
])('users %j is refused in one line that says what is wrong', async (args, message) => {
  const { exitCode, out, err } = await carnet(...args);
  expect([exitCode === 0, out]).toEqual([false, '']);
  expect(err.split('\n')[0]).toContain(message);
});

test.each([
  ['disable', 'disabled'],
  ['delete', undefined],
])('users %s --end-sessions ends sessions and tokens', async (command, state) => {
  const stateOfAda = await signIn();
  expect(await carnet(command, ada, '--end-sessions')).toMatchObject({ exitCode: 0, err: '' });
  expect(await stateOfAda()).toEqual([false, 400]);
  const response = await fetch(`${instance.admin}/admin/users/${subject}`);
  expect(((await response.json()) as { state?: string }).state).toBe(state);
});

test('users sessions lists the sessions, and ends them', async () => {
  const stateOfAda = await signIn();
  const { items } = await bodyOf('sessions', ada);
  expect(items).toMatchObject([{ subject, clients: [{ client_id: `app${count}` }] }]);
  expect((await carnet('sessions', ada)).out).toContain(`app${count}`);
  expect(await carnet('sessions', ada, '--end')).toMatchObject({ exitCode: 0 });
  expect(await stateOfAda()).toEqual([false, 400]);
  expect((await bodyOf('sessions', ada)).items).toEqual([]);
});

test('users reset-factors removes the second factors', async () => {
  const pin = await instance.carnet.accounts?.factors.pin({ subject, pin: 'a long PIN' });
  expect(pin?.factor.kind).toBe('pin');
  expect(await carnet('reset-factors', ada)).toMatchObject({ exitCode: 0 });
  expect((await instance.carnet.accounts?.factors.list({ owner: { subject } }))?.factors).toEqual([]);
});

test('groups are created, given members, listed by member, and deleted', async () => {
  const name = `Team ${count}`;
  expect(await groups('create', name)).toMatchObject({ exitCode: 0, out: expect.stringContaining(name) });
  expect(await groups('add', name, ada)).toMatchObject({ exitCode: 0, out: expect.stringContaining(subject) });
  const listed = JSON.parse((await groups('list', '--member', ada, '--format', 'json')).out);
  expect(listed.items).toMatchObject([{ name }]);
  expect((await groups('list', '--search', `team ${count}`, '--quiet')).out.trim()).toBe(listed.items[0].id);
  expect((await groups('remove', listed.items[0].id, subject)).exitCode).toBe(0);
  expect(JSON.parse((await groups('list', '--member', ada, '--format', 'json')).out).items).toEqual([]);
  expect((await groups('delete', name)).exitCode).toBe(0);
  for (const args of [
    ['add', name],
    ['add', name, ada],
    ['delete', name],
  ])
    expect((await groups(...args)).exitCode, args.join(' ')).not.toBe(0);
});

test('users create --invite creates a user without a password, who can be invited again', async () => {
  const invited = `bob${count}@example.com`;
  const user = await bodyOf('create', '--email', invited, '--name', 'Bob', '--invite');
  expect(user).toMatchObject({ logins: [invited], has_password: false, claims: { name: 'Bob' } });
  expect((await carnet('invite', invited, '--format', 'json')).exitCode).toBe(exitCodes.ok);
  const both = await carnet('create', '--email', ada, '--invite', '--password-stdin');
  expect([both.exitCode, both.err]).toEqual([exitCodes.usage, expect.stringContaining('not both')]);
  const refused = await carnet('create', '--username', `bob${count}`, '--invite');
  expect([refused.exitCode, refused.err]).toEqual([
    exitCodes.failed,
    expect.stringContaining('needs an email address'),
  ]);
});
