import { describe, expect, it } from 'vitest';
import { createDeviceTokens } from '../src/devices/device-tokens.ts';
import type { PasswordSignIn, SignIn } from '../src/index.ts';
import { createMemoryAttemptStore } from '../src/second-factors/index.ts';
import {
  createUser,
  engines,
  enrolTotp,
  openTestAccounts,
  openWithUser,
  password,
  progressOf,
  type TestAccounts,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { createTestVault } from './test-vault.ts';
import { totpCode } from './totp-code.ts';

const { createUrl } = useDatabases();
const login = 'ada@example.com';
const binding = 'c';
const wrong = 'wrong password';

const signIn = ({ accounts }: TestAccounts, members: Partial<PasswordSignIn> = {}): Promise<SignIn> =>
  accounts.signIn.password({ login, password, binding, ...members });

const deviceOf = (state: SignIn): string => {
  if (state.state !== 'done' || state.device === undefined) throw new Error(`no device in ${state.state}`);
  return state.device;
};

/** Whether the right password is accepted with this token. */
const isAccepted = async (test: TestAccounts, device?: string, members: Partial<PasswordSignIn> = {}) =>
  (await signIn(test, { ...members, device })).state === 'done';

const guess = async (test: TestAccounts, times: number, members: Partial<PasswordSignIn> = {}) => {
  for (let n = 0; n < times; n += 1) await signIn(test, { password: wrong, ...members });
};

const open = async (engine: 'sqlite' | 'postgres' = 'sqlite') => {
  const database = await createUrl(engine);
  await createUser(database, { email: 'bob@example.com' });
  return openWithUser(database, {}, { user: { username: 'ada' } });
};

describe.each(engines)('a browser in which a user has signed in before, counted in %s', (engine) => {
  it('wrong passwords from elsewhere do not lock the browser, and its own do not lock the user elsewhere', async () => {
    const test = await open(engine);
    const device = deviceOf(await signIn(test));
    await guess(test, 12);
    expect(await isAccepted(test)).toBe(false);
    expect(await isAccepted(test, device)).toBe(true);
    test.clock.now += 300_000;
    await guess(test, 9, { device });
    expect(await isAccepted(test)).toBe(true);
    await guess(test, 9);
    expect(await isAccepted(test)).toBe(true);
  });

  it('has ten guesses, also in parallel and after the window, and is treated as an unknown browser then', async () => {
    const test = await open(engine);
    const device = deviceOf(await signIn(test));
    await guess(test, 10);
    await Promise.all(Array.from({ length: 20 }, () => signIn(test, { password: wrong, device })));
    expect(await isAccepted(test, device)).toBe(false);
    const checked = test.events.filter((event) => event.type === 'directory' && event.step === 'verify');
    expect(checked).toHaveLength(1 + 10 + 10);
    test.clock.now += 300_000;
    await guess(test, 10);
    expect(await isAccepted(test, device)).toBe(false);
  });

  it('has ten guesses for all login names of a user', async () => {
    const test = await open(engine);
    const first = deviceOf(await signIn(test));
    const device = deviceOf(await signIn(test, { login: 'ada', device: first }));
    await guess(test, 10);
    await guess(test, 5, { device });
    await guess(test, 5, { device, login: 'ada' });
    expect(await isAccepted(test, device)).toBe(false);
    expect(await isAccepted(test, device, { login: 'ada' })).toBe(false);
  });

  it('has ten new guesses after each sign-in, and those of an older token stay used up', async () => {
    const test = await open(engine);
    const first = deviceOf(await signIn(test));
    await guess(test, 9, { device: first });
    const second = deviceOf(await signIn(test, { device: first }));
    await guess(test, 9, { device: second });
    await guess(test, 1, { device: first });
    await guess(test, 10);
    expect(await isAccepted(test, first)).toBe(false);
    expect(await isAccepted(test, second)).toBe(true);
  });
});

describe('a browser in which a user has signed in before', () => {
  it('the browser is remembered for this user, this login name and this issuer only, for 180 days', async () => {
    const test = await open();
    const bob = deviceOf(await signIn(test, { login: 'bob@example.com' }));
    const device = deviceOf(await signIn(test));
    await guess(test, 10);
    for (const each of [undefined, bob, 'nonsense', `${device.slice(0, -8)}AAAAAAAA`])
      expect(await isAccepted(test, each)).toBe(false);
    expect(await isAccepted(test, device, { login: 'ada' })).toBe(false);

    const options = testOptions({ database: test.database });
    const other = await openTestAccounts({ ...options, issuer: 'https://other.example.com' });
    expect(await isAccepted(other, device)).toBe(false);
    const same = await openTestAccounts(options);
    expect(await isAccepted(same, device)).toBe(true);
    same.clock.now += 180 * 86_400_000;
    await guess(same, 10);
    expect(await isAccepted(same, device)).toBe(false);
  });

  it('the browser is remembered for five users, whose counts stay apart', async () => {
    const now = Date.now();
    const tokens = createDeviceTokens({ vault: createTestVault(), issuer: 'https://id.example.com', now: () => now });
    const users = ['1', '2', '3', '4', '5', '6'].map((name) => ({ key: name, subject: `people.${name}` }));
    let token: string | undefined;
    for (const user of users) token = tokens.add(token, user);
    const before = users.map((user) => tokens.find(token, user)?.id);
    expect(before.filter((id) => id !== undefined)).toHaveLength(5);
    expect(new Set(before).size).toBe(6);
    const [, , third = { key: '', subject: '' }] = users;
    const after = tokens.add(token, third);
    const ids = users.map((user) => tokens.find(after, user)?.id);
    expect(ids.map((id, index) => id === before[index])).toEqual([true, true, false, true, true, true]);
    expect(tokens.find(after, third)?.isOf('people.3')).toBe(true);
    expect(tokens.find(after, third)?.isOf('people.4')).toBe(false);
    expect(after.length).toBeLessThan(2000);
  });

  it('gets its token after the last step of a sign-in only, with the users that it had', async () => {
    const test = await open();
    const bob = deviceOf(await signIn(test, { login: 'bob@example.com' }));
    const secret = await enrolTotp(test, test.subject);
    const begun = await signIn(test, { device: bob });
    expect(begun).not.toHaveProperty('device');
    const code = totpCode(secret, test.clock.now);
    const progress = progressOf(begun, 'factor');
    const done = await test.accounts.signIn.factor({ progress, binding, device: bob, kind: 'totp', code });
    const device = deviceOf(done);
    await guess(test, 10, { login: 'bob@example.com' });
    expect(await isAccepted(test, device, { login: 'bob@example.com' })).toBe(true);
    await guess(test, 10);
    expect(await signIn(test, { device })).toMatchObject({ state: 'factor' });
  });

  it('can change the password although an attacker has used up the guesses', async () => {
    const test = await open();
    const device = deviceOf(await signIn(test));
    await guess(test, 10);
    const change = { subject: test.subject, current: password, next: 'another long password' };
    expect(await test.accounts.account.changePassword(change)).toMatchObject({ error: 'limited' });
    expect(await test.accounts.account.changePassword({ ...change, device })).toEqual({ ok: true });
  });

  it('leaves no count behind after a right password', async () => {
    const store = createMemoryAttemptStore();
    const first = await store.increment('key', 600);
    await store.decrement('key', first.resetAt);
    const { resetAt } = await store.increment('key', 60);
    expect(resetAt).toBeLessThan(Date.now() + 61_000);
  });
});
