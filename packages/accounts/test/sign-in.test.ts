import { describe, expect, it } from 'vitest';
import { address, engines, enrolTotp, openWithUser, password, progressOf, useDatabases } from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';

const databases = useDatabases();
const circumstances = { binding: 'login-challenge-1', clientId: 'shop', address };
const login = 'ada@example.com';

describe.each(engines)('a sign-in with users in %s', (engine) => {
  it('the right password of a user without factors completes the sign-in', async () => {
    const { accounts, events, subject } = await openWithUser(await databases.createUrl(engine));
    const state = await accounts.signIn.password({ login: ' ADA@Example.com', password, ...circumstances });
    expect(state).toMatchObject({ state: 'done', subject, acr: 'urn:carnet:1fa', amr: ['pwd'] });
    expect(state).toMatchObject({
      user: { subject, name: 'Ada', detail: login },
      claims: { name: 'Ada', email: login },
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'sign_in', result: 'done', subject }));
  });

  it('asks for the code of a user with TOTP, and is done with two factors', async () => {
    const test = await openWithUser(await databases.createUrl(engine));
    const { accounts, clock, subject } = test;
    const secret = await enrolTotp(test, subject);
    const began = await accounts.signIn.password({ login, password, ...circumstances });
    expect(began).toMatchObject({ kinds: ['totp'] });
    const progress = progressOf(began, 'factor');
    const code = totpCode(secret, clock.now);
    const wrong = code === '000000' ? '000001' : '000000';
    const step = (given: string) => accounts.signIn.factor({ progress, kind: 'totp', code: given, ...circumstances });
    expect(await step(wrong)).toEqual({ state: 'refused' });
    expect(await step(code)).toMatchObject({
      state: 'done',
      subject,
      acr: 'urn:carnet:2fa',
      amr: ['pwd', 'otp', 'mfa'],
    });
    expect(await step(code)).toEqual({ state: 'refused' });
  });
});
