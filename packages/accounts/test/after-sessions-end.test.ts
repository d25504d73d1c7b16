import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openWithUser, password, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const input = { login: 'ada@example.com', password, binding: 'login-challenge-1' };

/** Accounts whose clock begins at a full second, so that a sign-in is done well before the next one. */
const openAtFullSecond = async (endedAt: number) => {
  let startedAt = Date.now();
  const now = () => Date.now() - startedAt;
  const dependencies = { now, sessionsEndedAt: async () => endedAt };
  const { accounts, subject } = await openWithUser(await databases.createUrl('sqlite'), {}, dependencies);
  startedAt = Date.now();
  return { accounts, subject, now };
};

const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000;

it('a sign-in in the second in which the sessions of the user were ended is done in a later second', async () => {
  const endedAt = 5;
  const { accounts, subject, now } = await openAtFullSecond(endedAt);
  expect(await accounts.signIn.password(input)).toMatchObject({ state: 'done', subject });
  expect(secondOf(now())).toBeGreaterThanOrEqual(endedAt);
  expect(await accounts.account.show({ subject })).toMatchObject({ sessionsEndedAt: new Date(endedAt) });
});

it('a sign-in waits for a second at most if the clock that ended the sessions is ahead', async () => {
  const { accounts, subject } = await openAtFullSecond(86_400_000);
  expect(await accounts.signIn.password(input)).toMatchObject({ state: 'done', subject });
});

it('a sign-in is refused if the password was changed, and the sessions ended, after it was checked', async () => {
  const database = await databases.createUrl('sqlite');
  const file = new DatabaseSync(database.slice('sqlite:'.length));
  let endedAt: number | undefined;
  const { accounts } = await openWithUser(
    database,
    {},
    {
      now: Date.now,
      sessionsEndedAt: async () => endedAt,
      // As another process does, but before the next query of the sign-in.
      onEvent: (event) => {
        if (event.type !== 'directory' || event.step !== 'verify' || endedAt !== undefined) return;
        file.exec('update carnet_credential set version = version + 1');
        endedAt = Date.now();
      },
    },
  );
  expect(await accounts.signIn.password(input)).toEqual({ state: 'refused' });
  expect(await accounts.signIn.password(input)).toMatchObject({ state: 'done' });
  file.close();
});
