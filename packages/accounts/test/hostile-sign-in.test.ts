import { describe, expect, it } from 'vitest';
import type { AccountsOptions, FactorSignIn, PasswordSignIn, SignIn } from '../src/index.ts';
import {
  address,
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
import { totpCode } from './totp-code.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const binding = 'login-challenge-1';

const signIn = ({ accounts }: TestAccounts, members: Partial<PasswordSignIn> = {}): Promise<SignIn> =>
  accounts.signIn.password({ login, password, binding, address, ...members });

const guess = (test: TestAccounts, name: string) => signIn(test, { login: name, password: 'wrong password' });

const open = async (options: Partial<AccountsOptions> = {}, user = {}) =>
  openWithUser(await databases.createUrl('sqlite'), options, { user });

/** A user who may sign in as `ada@example.com`, and as `ada`. */
const openWithTwoNames = () => open({}, { username: 'ada' });

/** A user with TOTP, after the password. */
const atFactor = async () => {
  const test = await open();
  const secret = await enrolTotp(test, test.subject);
  const progress = progressOf(await signIn(test), 'factor');
  const code = () => totpCode(secret, test.clock.now);
  return { ...test, progress, code };
};

describe('the progress of a sign-in', () => {
  it('the progress is refused with another login challenge, after ten minutes, and when it was changed', async () => {
    const { accounts, clock, progress, code } = await atFactor();
    const step = (members: Partial<FactorSignIn>) =>
      accounts.signIn.factor({ progress, kind: 'totp', code: code(), binding, ...members });
    const expired = { state: 'expired' };
    expect(await step({ binding: 'login-challenge-2' })).toEqual(expired);
    expect(await step({ progress: `${progress.slice(0, -6)}AAAAAA` })).toEqual(expired);
    expect(await step({ progress: 'nonsense' })).toEqual(expired);
    expect(await accounts.signIn.resume({ progress: '', binding })).toEqual(expired);
    clock.now += 600_000;
    expect(await step({})).toEqual(expired);
  });

  it('the progress is refused after the password has changed', async () => {
    const { accounts, subject, progress, code } = await atFactor();
    await accounts.account.changePassword({ subject, current: password, next: 'another password' });
    const state = await accounts.signIn.factor({ progress, kind: 'totp', code: code(), binding });
    expect(state).toEqual({ state: 'expired' });
  });

  it('enrols no factor for a user who has one: the password alone adds no second factor', async () => {
    const { accounts, progress } = await atFactor();
    const owner = { progress, binding };
    const refused = { code: 'expired_progress' };
    await expect(accounts.factors.begin({ owner, kind: 'totp', issuer: 'x' })).rejects.toMatchObject(refused);
    await expect(accounts.factors.passkeyOptions({ owner })).rejects.toMatchObject(refused);
    await expect(accounts.factors.recoveryCodes({ owner })).rejects.toMatchObject(refused);
    await expect(accounts.factors.remove({ owner, id: 'x' })).rejects.toMatchObject(refused);
    await expect(accounts.factors.list({ owner })).rejects.toMatchObject(refused);
    expect(await accounts.signIn.skipEnrolment({ progress, binding })).toMatchObject({ state: 'factor' });
    expect(await accounts.signIn.resume({ progress, binding })).toMatchObject({ state: 'factor' });
  });

  it('enrols no factor after the password and a PIN for a user who has more: both are knowledge', async () => {
    const secondFactors = { ...testOptions().secondFactors, kinds: ['totp', 'pin', 'passkey'] } as const;
    const test = await open({ secondFactors });
    await enrolTotp(test, test.subject);
    await test.accounts.factors.pin({ subject: test.subject, pin: '4711' });
    const acrValues = ['phr'];
    const began = await signIn(test, { acrValues });
    expect(began).toMatchObject({ kinds: ['totp'] });
    const progress = progressOf(began, 'factor');
    const pin = { progress, kind: 'pin', code: '4711', binding, acrValues } as const;
    expect(await test.accounts.signIn.factor(pin)).toEqual({ state: 'refused' });
    const owner = { progress, binding };
    const refused = test.accounts.factors.begin({ owner, kind: 'totp', issuer: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 'expired_progress' });
  });

  it('of an enrolment cannot be used again to enrol, after another request has enrolled', async () => {
    const secondFactors = { ...testOptions().secondFactors, policy: 'required' } as const;
    const test = await open({ secondFactors });
    const begun = await signIn(test);
    expect(begun).toMatchObject({ required: true });
    const owner = { progress: progressOf(begun, 'enrol'), binding };
    expect(await test.accounts.signIn.skipEnrolment(owner)).toMatchObject({ state: 'enrol', required: true });
    await enrolTotp(test, test.subject);
    const again = test.accounts.factors.begin({ owner, kind: 'totp', issuer: 'x' });
    await expect(again).rejects.toMatchObject({ code: 'expired_progress' });
  });
});

describe('guesses by several names of one user', () => {
  it('share one count, as do spellings with white space, which no directory is asked for', async () => {
    const test = await openWithTwoNames();
    const names = ['ada', login];
    const answers: string[] = [];
    for (let n = 0; n < 12; n += 1) answers.push((await guess(test, names[n % 2] as string)).state);
    expect(answers).toEqual(Array(12).fill('refused'));
    expect(await signIn(test)).toEqual({ state: 'refused' });
    expect(test.events.filter((event) => event.type === 'sign_in' && event.result === 'limited')).toHaveLength(3);
    for (const spaced of ['ada @example.com', 'ada@ example.com', 'example\\ ada'])
      expect(await guess(test, spaced)).toEqual({ state: 'refused' });
  });
});

describe('ten wrong passwords for one name of a user', () => {
  it('do not reveal which other names are the same user', async () => {
    const test = await openWithTwoNames();
    for (let n = 0; n < 10; n += 1) expect(await guess(test, 'ada')).toEqual({ state: 'refused' });
    const answersTo = async (name: string) => {
      const answers: string[] = [];
      for (let n = 0; n < 11; n += 1) answers.push((await guess(test, name)).state);
      return answers;
    };
    const unknown = await answersTo('nobody@example.com');
    expect(unknown).toEqual([...Array(10).fill('refused'), 'limited']);
    expect(await answersTo('ada@example.com')).toEqual(unknown);
  });
});

describe('a subject that is typed as a login name', () => {
  it('does not take the guesses of its user', async () => {
    const test = await open();
    for (let n = 0; n < 11; n += 1) await signIn(test, { login: test.subject, password: 'wrong password' });
    expect(await signIn(test)).toMatchObject({ state: 'done' });
  });
});

describe('ten wrong passwords at once for each of two names of a user', () => {
  it('are all refused: none is answered that too many wait for this user', async () => {
    const test = await openWithTwoNames();
    const names = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'ada' : login));
    const states = await Promise.all(names.map((name) => guess(test, name)));
    expect(states).toEqual(Array(20).fill({ state: 'refused' }));
  });
});

describe.each(engines)('wrong passwords, counted in %s', (engine) => {
  it('are ten of twenty parallel ones that are checked, and the right one is refused then', async () => {
    const test = await openWithUser(await databases.createUrl(engine));
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(test, { password: 'wrong password' })));
    expect(answers.filter(({ state }) => state === 'refused')).toHaveLength(10);
    expect(answers.filter(({ state }) => state === 'limited')).toHaveLength(10);
    const checked = test.events.filter((event) => event.type === 'directory' && event.step === 'verify');
    expect(checked).toHaveLength(10);
    const limited = await signIn(test, { login: ' ADA@EXAMPLE.com' });
    expect(limited).toMatchObject({ state: 'limited' });
    expect(limited.state === 'limited' && limited.retryAfterSeconds).toBeGreaterThan(0);
    test.clock.now += 300_000;
    expect(await signIn(test)).toMatchObject({ state: 'done', subject: test.subject });
  });

  it('never stop a user who knows the password', async () => {
    const attempts = { perLogin: 2, perAddress: 2, windowSeconds: 300 };
    const test = await openWithUser(await databases.createUrl(engine), { attempts });
    for (let n = 0; n < 5; n += 1) expect(await signIn(test)).toMatchObject({ state: 'done' });
  });
});

describe('a sign-in', () => {
  it('has one answer for unknown, locked and disabled users, and for wrong passwords', async () => {
    const database = await databases.createUrl('sqlite');
    for (const state of ['active', 'locked', 'disabled'] as const)
      await createUser(database, { email: `${state}@x.example`, state });
    const test = await openTestAccounts(testOptions({ database }));
    const attempts: Partial<PasswordSignIn>[] = [
      { login: 'unknown@x.example' },
      { login: 'locked@x.example' },
      { login: 'disabled@x.example' },
      { login: 'active@x.example', password: 'wrong password' },
      { login: '*' },
      { login: '\0' },
      { login: 'active@x.example', password: `${password}\0` },
    ];
    for (const attempt of attempts) expect(await signIn(test, attempt)).toEqual({ state: 'refused' });
    // One lookup and one check each, so that the durations are equal as well.
    const steps = test.events.flatMap((event) => (event.type === 'directory' ? [event.step] : []));
    expect(steps.slice(0, 8)).toEqual(Array(4).fill(['find', 'verify']).flat());
    const reasons = test.events.flatMap((event) => (event.type === 'sign_in' ? [event.reason] : []));
    expect(reasons.slice(0, 4)).toEqual(['unknown_user', 'locked', 'disabled', 'wrong_password']);
  });

  it('sign-ins with one address are limited for all users together', async () => {
    const database = await databases.createUrl('sqlite');
    const attempts = { perLogin: 10, perAddress: 3, windowSeconds: 300 };
    const test = await openTestAccounts(testOptions({ database, attempts }));
    const states: string[] = [];
    for (let n = 0; n < 5; n += 1) states.push((await signIn(test, { login: `user-${n}` })).state);
    expect(states).toEqual(['refused', 'refused', 'refused', 'limited', 'limited']);
    expect(await signIn(test, { address: '192.0.2.8' })).toEqual({ state: 'refused' });
  });

  it('a client or a realm can require a factor for its own sign-ins, and acr_values can require more too', async () => {
    const secondFactors = { ...testOptions().secondFactors, policy: 'none', clients: { bank: 'required' } } as const;
    const test = await open({ secondFactors });
    expect(await signIn(test, { clientId: 'shop' })).toMatchObject({ state: 'done', acr: 'urn:carnet:1fa' });
    expect(await signIn(test, { clientId: 'bank' })).toMatchObject({ state: 'enrol', required: true });
    const stepUp = await signIn(test, { acrValues: ['urn:carnet:2fa'] });
    expect(stepUp).toMatchObject({ state: 'enrol' });
  });

  it('leaves no password, code or progress in events and logs', async () => {
    const test = await atFactor();
    await signIn(test, { password: 'a wrong password' });
    const code = test.code();
    await test.accounts.signIn.factor({ progress: test.progress, kind: 'totp', code, binding });
    const recorded = JSON.stringify([test.events, test.lines]);
    for (const secret of [password, 'a wrong password', test.progress, `"${code}"`])
      expect(recorded).not.toContain(secret);
  });
});
