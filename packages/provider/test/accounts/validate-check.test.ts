import { expect, test } from 'vitest';
import { startWithAda } from './start-accounts.ts';

const token = 'a token of the plug-in, long enough';
const pin = '4711-0815';

const startWithPin = async (validateCheck: object) => {
  const secondFactors = { kinds: ['pin' as const] };
  const config = { admin: { token: 'the-admin-token-of-the-tests' }, accounts: { validateCheck, secondFactors } };
  const { subject, ...instance } = await startWithAda(config);
  await instance.carnet.accounts?.factors.pin({ subject, pin });
  const check = async (pass: string, headers: Record<string, string> = {}, user = 'ada@example.com') => {
    const body = new URLSearchParams({ user, pass });
    const response = await fetch(`${instance.admin}/validate/check`, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into what is answered
    return { status: response.status, result: ((await response.json()) as any).result };
  };
  return { ...instance, check };
};

test('a plug-in with its own token checks a PIN; the admin token and no token are refused', async () => {
  const { check } = await startWithPin({ enabled: true, mode: 'pin', token });
  const authorization = `Bearer ${token}`;
  expect(await check(pin, { authorization })).toMatchObject({ status: 200, result: { status: true, value: true } });
  expect(await check('wrong', { authorization })).toMatchObject({ status: 200, result: { value: false } });
  expect(await check(pin, { authorization }, 'eve@example.com')).toMatchObject({
    status: 200,
    result: { value: false },
  });
  expect((await check(pin)).status).toBe(401);
  expect((await check(pin, { authorization: 'Bearer the-admin-token-of-the-tests' })).status).toBe(401);
});

test('a plug-in at an allowed address needs no token, and a header does not change its address', async () => {
  const { check } = await startWithPin({ enabled: true, mode: 'pin', allow: ['127.0.0.1'] });
  expect(await check(pin)).toMatchObject({ status: 200, result: { value: true } });
  const { check: other } = await startWithPin({ enabled: true, mode: 'pin', allow: ['192.0.2.1'] });
  expect((await other(pin, { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' })).status).toBe(401);
});

test('a page in a browser at an allowed address is refused', async () => {
  const { check } = await startWithPin({ enabled: true, mode: 'pin', allow: ['127.0.0.1'] });
  expect((await check(pin, { origin: 'https://attacker.example' })).status).toBe(403);
});

test('/validate/check is off by default', async () => {
  const { check } = await startWithPin({});
  expect((await check(pin, { authorization: 'Bearer the-admin-token-of-the-tests' })).status).toBe(404);
});
