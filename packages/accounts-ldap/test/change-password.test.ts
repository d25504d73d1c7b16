import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { asActiveDirectory, open } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 1 }));

const change = async (uid: string, current: string, next: string, options = {}) => {
  const directory = await open(slapd, options);
  const user = await directory.find(uid);
  if (user === undefined) throw new Error(`no ${uid}`);
  return { directory, user, result: await directory.changePassword?.(user, current, next) };
};

test('a password is changed with the current one (RFC 3062)', async () => {
  const wrong = await change('ben', 'wrong', 'a better password');
  expect(wrong.result).toEqual({ changed: false, reason: 'wrong_password' });
  const { directory, user, result } = await change('ben', 'password-ben', 'a better password');
  expect(result).toEqual({ changed: true });
  expect(await directory.verify(user, 'a better password')).toEqual({ accepted: true });
  expect(await directory.verify(user, 'password-ben')).toMatchObject({ accepted: false });
  expect((await directory.load(user.id))?.passwordVersion).not.toBe(user.passwordVersion);
});

test("a password that the server's policy refuses is weak", async () => {
  const { result } = await change('cleo', 'password-cleo', 'short');
  expect(result).toMatchObject({
    changed: false,
    reason: 'weak_password',
    message: expect.stringContaining('quality'),
  });
  for (const next of ['', 'a better\0password'])
    expect((await change('cleo', 'password-cleo', next)).result).toMatchObject({ reason: 'weak_password' });
});

test('a password that must be changed can be changed', async () => {
  const { directory, user, result } = await change('must-change', 'password-must-change', 'a better password');
  expect(result).toEqual({ changed: true });
  expect(await directory.verify(user, 'a better password')).toEqual({ accepted: true });
});

test('of Active Directory the attribute unicodePwd is changed', async () => {
  const ad = await change('ad-plain', 'password-ad-plain', 'a better password', asActiveDirectory);
  expect(ad.result).toEqual({ changed: true });
  // slapd binds with userPassword, but compares the old value of unicodePwd: the first change replaced it.
  const again = change('ad-plain', 'password-ad-plain', 'another password', asActiveDirectory);
  await expect(again).rejects.toThrow(/16.*no such value/);
});

test('a directory without TLS changes no password', async () => {
  const directory = await open(slapd, { urls: [slapd.url], startTls: false });
  expect(directory.changePassword).toBeUndefined();
  const encrypted = await open(slapd, { urls: [slapd.url] });
  expect(encrypted.changePassword).toBeDefined();
});
