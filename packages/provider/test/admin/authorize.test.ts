import { describe, expect, it } from 'vitest';
import { startAdmin } from './start-admin.ts';

describe('health', () => {
  it('is alive, ready and has a version, with and without the prefix', async () => {
    const { call } = await startAdmin();
    for (const prefix of ['', '/admin']) {
      expect(await call('GET', `${prefix}/health/alive`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/health/ready`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/version`)).toMatchObject({ status: 200, body: { version: '1.2.3' } });
    }
  });

  it('says what is not ready', async () => {
    const { call } = await startAdmin({ ready: async () => ({ database: 'does not answer' }) });
    expect(await call('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { errors: { database: 'does not answer' } },
    });
    expect((await call('GET', '/health/alive')).status).toBe(200);
  });
});

describe('authorization', () => {
  it('wants the token everywhere but on health', async () => {
    const { call } = await startAdmin({}, 'a-long-admin-token');
    const { status, headers, body } = await call('GET', '/admin/clients');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body).toEqual({ error: 'The request could not be authorized', error_description: expect.any(String) });
    for (const path of ['/clients', '/clients/', '/version', '/nowhere', '/admin/health/alive/x']) {
      expect((await call('GET', path)).status).toBe(401);
    }
    for (const path of ['/health/alive', '/admin/health/ready', '/health/alive/', '/health/%61live'])
      expect((await call('GET', path)).status).toBe(200);
    expect((await call('POST', '/health/alive')).status).toBe(401);
  });

  it.each([
    ['Bearer a-long-admin-token', 200],
    ['bearer a-long-admin-token', 200],
    ['Bearer a-long-admin-toke', 401],
    ['Bearer a-long-admin-tokenx', 401],
    ['Bearer ', 401],
    ['Basic a-long-admin-token', 401],
    ['a-long-admin-token', 401],
    ['Bearer a-long-admin-token, Bearer x', 401],
  ])('answers "%s" with %d', async (authorization, status) => {
    const { call } = await startAdmin({}, 'a-long-admin-token');
    expect((await call('GET', '/admin/clients', undefined, { authorization })).status).toBe(status);
  });

  it.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
  ])('takes nothing from a web page (%s: %s) while there is no token', async (name, value) => {
    const headers = { [name]: value };
    const { call, clients } = await startAdmin();
    const { status, body } = await call('POST', '/admin/clients', { client_id: 'evil' }, headers);
    expect([status, body.error]).toEqual([403, 'request_forbidden']);
    expect(await clients.find('evil')).toBeUndefined();
    const guarded = await startAdmin({}, 'a-long-admin-token');
    const authorization = 'Bearer a-long-admin-token';
    expect((await guarded.call('GET', '/admin/clients', undefined, { ...headers, authorization })).status).toBe(200);
  });
});
