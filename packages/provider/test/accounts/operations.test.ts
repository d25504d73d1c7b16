import { openTestPostgres } from '@carnet/test-servers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { discovery, refusal } from '../call.ts';
import { password, sqliteUrl, startAccounts, startWithAda } from './start-accounts.ts';

const binding = 'the login challenge of the tests';
const login = 'ada@example.com';

let postgres: Awaited<ReturnType<typeof openTestPostgres>>;
beforeAll(async () => {
  postgres = await openTestPostgres();
});
afterAll(() => postgres?.close());

const databases = [
  ['SQLite', async () => sqliteUrl()],
  ['Postgres', () => postgres.createDatabase()],
] as const;

describe.each(databases)('the accounts API with %s', (_name, createDatabase) => {
  const started = async (config = {}) => startWithAda(config, await createDatabase());

  test('signs a user in, over HTTP and in process, and the login request is accepted with the result', async () => {
    const { call, carnet, subject } = await started();
    const { status, body } = await call('sign-in/password', { login, password, binding });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'done', subject, acr: 'urn:carnet:1fa', amr: ['pwd'] });
    expect(body.claims).toMatchObject({ name: 'Ada Lovelace', email: login });
    expect(await carnet.accounts?.signIn.password({ login, password, binding })).toMatchObject({
      state: 'done',
      subject,
    });
    expect(await carnet.accounts?.account.show({ subject })).toMatchObject({ directory: 'users' });
  });

  test('gives the browser of a sign-in a count of its own, over HTTP and in process', async () => {
    const { call, carnet } = await started();
    const { device } = (await call('sign-in/password', { login, password, binding })).body;
    for (let guess = 0; guess < 10; guess += 1)
      await call('sign-in/password', { login, password: 'a wrong one', binding });
    const elsewhere = await call('sign-in/password', { login, password, binding });
    expect(elsewhere.body.state).not.toBe('done');
    const { body } = await call('sign-in/password', { login, password, binding, device });
    expect(body).toMatchObject({ state: 'done' });
    const inProcess = { login, password, binding, device: String(body.device) };
    expect(await carnet.accounts?.signIn.password(inProcess)).toMatchObject({ state: 'done' });
  });

  test('answers the same for a wrong password and an unknown user; the audit log has the reasons', async () => {
    const { call, logLines, subject } = await started();
    const wrong = await call('sign-in/password', { login, password: 'wrong', binding });
    const unknown = await call('sign-in/password', { login: 'eve@example.com', password, binding });
    expect(wrong).toMatchObject({ status: 200, body: { state: 'refused' } });
    expect(unknown.body).toEqual(wrong.body);
    const records = logLines
      .map((line) => JSON.parse(line).audit)
      .filter((audit) => audit?.action === 'sign_in.password');
    expect(records).toMatchObject([
      { outcome: 'denied', reason: 'wrong_password', directory: 'users', subject },
      { outcome: 'denied', reason: 'unknown_user' },
    ]);
    expect(logLines.join('')).not.toContain(password);
    expect(logLines.join('')).not.toContain(binding);
  });

  test('counts the steps of sign-ins and the calls of directories', async () => {
    const { call, admin } = await started();
    await call('sign-in/password', { login, password, binding });
    await call('sign-in/password', { login, password: 'wrong', binding });
    const metrics = await (await fetch(`${admin}/admin/metrics/prometheus`)).text();
    expect(metrics).toMatch(/carnet_sign_in_steps_total\{[^}]*method="password",result="done"\} 1/);
    expect(metrics).toMatch(/carnet_sign_in_steps_total\{[^}]*result="refused"\} 1/);
    expect(metrics).toMatch(/carnet_directory_operation_duration_seconds_count\{[^}]*directory="users",step="find"/);
  });
});

describe('a request to the accounts API', () => {
  test('needs the admin token', async () => {
    const token = 'a-token-of-the-tests-long';
    const { call } = await startWithAda({ admin: { token } });
    expect((await call('settings', {})).status).toBe(401);
    const { status, body } = await call('settings', {}, { authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({ sign_up: false, password_recovery: false, minimum_password_length: 8 });
  });

  test.each([
    ['no JSON', '{', 400],
    ['a member twice', '{"login":"a","login":"b","password":"c","binding":"d"}', 400],
    ['a missing member', { login, password }, 400],
    ['an unknown member', { login, password, binding, acr_value: 'phr' }, 400],
    ['another type', { login, password, binding, acr_values: 'phr' }, 400],
  ])('the request is refused for %s, and the answer does not repeat the password', async (_what, input, status) => {
    const { call } = await startWithAda();
    const answer = await call('sign-in/password', input);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
    expect(answer.body.error).toBe('invalid_request');
    expect(JSON.stringify(answer.body)).not.toContain(password);
  });

  test('a request with the progress of another sign-in has expired', async () => {
    const { carnet } = await startWithAda();
    const input = { login, password, binding, acr_values: ['phr'] };
    await expect(carnet.accounts?.signIn.password(input)).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'acr_values',
      message: expect.stringContaining("use 'acrValues'"),
    });
  });

  test('with the progress of another sign-in has expired', async () => {
    const { call } = await startWithAda();
    expect(await call('sign-in/resume', { progress: 'not one', binding })).toMatchObject({
      status: 200,
      body: { state: 'expired' },
    });
    const owner = { progress: 'not one', binding };
    expect(await call('factors/list', { owner })).toMatchObject(refusal('expired_progress', 409));
  });

  test('for a feature that is off is refused with 409 or an outcome, never 500', async () => {
    const { call } = await startWithAda();
    const request = { email: 'new@example.com', password, link_base: 'http://login.test/sign-up/confirm' };
    expect(await call('sign-up/request', request)).toMatchObject({ body: { ok: false, error: 'not_supported' } });
  });

  test('the request gets 404 if accounts are not configured', async () => {
    const { start } = await import('../harness.ts');
    const instance = await start();
    onTestFinished(() => instance.stop());
    expect(instance.carnet.accounts).toBeUndefined();
    const response = await fetch(`${instance.admin}/admin/accounts/settings`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });
});

test('the discovery document lists the classes that sign-ins can reach', async () => {
  const urls = { login: 'https://login.test/login', consent: 'https://login.test/consent' };
  const instance = await startAccounts(sqliteUrl(), { config: { urls } });
  expect((await discovery(instance)).acr_values_supported).toEqual(['urn:carnet:1fa', 'urn:carnet:2fa', 'phr']);
});
