import { describe, expect, it } from 'vitest';
import { fileDirectory, openTestAccounts, password, testOptions } from './open-test-accounts.ts';

const binding = 'login-challenge-1';

const open = async () => {
  const user = { email: 'ada@example.com', claims: { name: 'Ada' } };
  return openTestAccounts(testOptions({ directories: [await fileDirectory('demo', '', user)] }));
};

describe('accounts without a database', () => {
  it('check passwords, and count wrong ones in this process', async () => {
    const { accounts } = await open();
    const signIn = (text: string) =>
      accounts.signIn.password({ login: 'ada@example.com', password: text, binding, clientId: 'shop' });
    expect(await signIn(password)).toMatchObject({ state: 'done', subject: 'u1', acr: 'urn:carnet:1fa', amr: ['pwd'] });
    for (let n = 0; n < 10; n += 1) expect(await signIn('wrong')).toEqual({ state: 'refused' });
    expect(await signIn(password)).toMatchObject({ state: 'limited' });
    expect(await accounts.account.show({ subject: 'u1' })).toMatchObject({
      claims: { name: 'Ada' },
      can: { changePassword: false, editProfile: false },
    });
  });

  it('have no factors, no sign-up and no recovery', async () => {
    const { accounts } = await open();
    expect(await accounts.settings()).toMatchObject({
      signUp: false,
      passwordRecovery: false,
      passkeys: false,
      secondFactor: 'none',
      factorKinds: [],
      acrValues: ['urn:carnet:1fa'],
    });
    const owner = { subject: 'u1' };
    const off = { code: 'not_supported' };
    expect(await accounts.factors.list({ owner })).toEqual({ factors: [] });
    await expect(accounts.factors.begin({ owner, kind: 'totp', label: '', issuer: 'Shop' })).rejects.toMatchObject(off);
    await expect(accounts.signIn.passkeyOptions({ binding })).rejects.toMatchObject(off);
    const change = { subject: 'u1', current: password, next: 'another long password' };
    expect(await accounts.account.changePassword(change)).toEqual({ ok: false, error: 'not_supported' });
    expect(await accounts.account.update({ subject: 'u1', claims: {} })).toEqual({
      ok: false,
      error: 'not_supported',
    });
  });
});
