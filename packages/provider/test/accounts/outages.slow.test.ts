import { startPostgres, startSlapd } from '@carnet/test-servers';
import { expect, onTestFinished, test } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { call, refusal } from '../call.ts';
import { createAda, password, startAccounts } from './start-accounts.ts';

const binding = 'the login challenge of the tests';
const login = 'ada@example.com';

const readiness = (url: string) => call(`${url}/health/ready`);

test('an accounts database that does not answer is 503 and never a wrong password; the process stays alive', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const url = await postgres.createDatabase();
  await createAda(url);
  const { admin, ...accounts } = await startAccounts(url);
  const signIn = () => accounts.call('sign-in/password', { login, password, binding });
  expect(await signIn()).toMatchObject({ status: 200, body: { state: 'done' } });

  await postgres.kill();
  const refused = await signIn();
  expect(refused).toMatchObject(refusal('temporarily_unavailable', 503));
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(JSON.stringify(refused.body)).not.toContain(new URL(url).password || password);
  expect((await readiness(admin)).status).toBe(503);
  expect((await fetch(`${admin}/health/alive`)).status).toBe(200);

  await postgres.start();
  await expect.poll(async () => (await signIn()).body.state).toBe('done');
  expect((await readiness(admin)).status).toBe(200);
}, 60_000);

test('an accounts database without its tables is not ready, and the answer says what to run', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const { admin } = await startAccounts(await postgres.createDatabase(), { config: { accounts: { migrate: false } } });
  expect(await readiness(admin)).toMatchObject({
    status: 503,
    body: { errors: { accounts: expect.stringContaining('carnet migrate up') } },
  });
}, 60_000);

test('a directory that does not answer is 503; the process stays ready and shows the directory', async () => {
  const slapd = await startSlapd();
  onTestFinished(() => slapd.close());
  const ldap = {
    name: 'staff',
    kind: 'ldap' as const,
    urls: [slapd.url],
    startTls: false,
    bindDn: slapd.reader.dn,
    bindPassword: slapd.reader.password,
    base: slapd.peopleDn,
    timeoutMs: 1_000,
  };
  const { admin, carnet, logLines } = await startInTest({
    config: { accounts: { directories: [ldap], secondFactors: { policy: 'none' } } },
  });
  const ada = { login: 'ada', password: slapd.user('ada').password, binding };
  const signIn = async () =>
    (await fetch(`${admin}/admin/accounts/sign-in/password`, { method: 'POST', body: JSON.stringify(ada) })).status;
  expect(await carnet.accounts?.signIn.password(ada)).toMatchObject({ state: 'done' });
  await expect
    .poll(() => readiness(admin))
    .toMatchObject({ status: 200, body: { status: 'ok', directories: { staff: 'ok' } } });

  expect(await signIn()).toBe(200);
  const metrics = await (await fetch(`${admin}/admin/metrics/prometheus`)).text();
  for (const result of ['miss', 'hit'])
    expect(metrics).toContain(`carnet_user_cache_lookups_total{directory="staff",result="${result}"} 1`);

  await slapd.kill();
  expect(await signIn()).toBe(503);
  await expect(carnet.accounts?.signIn.password(ada)).rejects.toMatchObject({ code: 'accounts_unavailable' });
  expect((await readiness(admin)).status).toBe(200);
  const errors = () => logLines.filter((line) => line.includes('"level":50'));
  const before = errors().length;
  for (let n = 0; n < 5; n += 1) expect(await signIn()).toBe(503);
  expect(errors().slice(before).length).toBeLessThanOrEqual(1);
  expect(JSON.parse(errors()[0] ?? '')).toMatchObject({
    msg: 'request failed',
    code: 'accounts_unavailable',
    directory: 'staff',
    problem: expect.stringContaining('directory staff'),
  });
  expect(errors().join()).not.toContain('stack');

  await slapd.start();
  await expect.poll(signIn, { timeout: 40_000 }).toBe(200);
}, 90_000);
