import { expect, it } from 'vitest';
import { createUser, openTestAccounts, password, testOptions, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const input = { login: 'ada@example.com', password, binding: 'login-challenge-1' };

/** Accounts whose clock begins at a full second, so that a sign-in is done well before the next one. */
const openAtFullSecond = async (endedAt: number) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database);
  let startedAt = Date.now();
  const now = () => Date.now() - startedAt;
  const { accounts } = await openTestAccounts(testOptions({ database }), { now, sessionsEndedAt: async () => endedAt });
  startedAt = Date.now();
  return { accounts, subject, now };
};

const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000;

it('a sign-in in the second in which the sessions of the user were ended is done in a later second', async () => {
  const endedAt = 5;
  const { accounts, subject, now } = await openAtFullSecond(endedAt);
  expect(await accounts['sign-in/password'](input)).toMatchObject({ state: 'done', subject });
  expect(secondOf(now())).toBeGreaterThanOrEqual(endedAt);
  expect(await accounts['account/show']({ subject })).toMatchObject({ sessions_ended_at: endedAt });
});

it('a sign-in waits for a second at most if the clock that ended the sessions is ahead', async () => {
  const { accounts, subject } = await openAtFullSecond(86_400_000);
  expect(await accounts['sign-in/password'](input)).toMatchObject({ state: 'done', subject });
});
