import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { AdminRight, NamedToken } from '../../src/admin/config.ts';
import { startAdmin } from './start-admin.ts';

describe('health', () => {
  it('health endpoints report alive, ready and a version, with and without the prefix', async () => {
    const { call } = await startAdmin();
    for (const prefix of ['', '/admin']) {
      expect(await call('GET', `${prefix}/health/alive`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/health/ready`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/version`)).toMatchObject({ status: 200, body: { version: '1.2.3' } });
    }
  });

  it('says what is not ready', async () => {
    const { call } = await startAdmin({ ready: async () => ({ database: 'does not answer' }) });
    const errors = { database: 'does not answer' };
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { errors } });
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

describe('a named token', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-tokens-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const value = (name: string) => `a-long-token-for-${name}`;
  const token = (...rights: AdminRight[]): NamedToken => ({
    name: rights.join('-'),
    rights,
    value: value(rights.join('-')),
  });
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const tokens = [
    token('metrics'),
    token('read'),
    token('login'),
    token('accounts'),
    token('users'),
    token('all'),
    token('metrics', 'login'),
  ];

  /** By right: which requests are authorized. A 404 of the handler shows that the request was. */
  const requests: readonly (readonly [string, string, readonly string[]])[] = [
    ['GET', '/admin/metrics/prometheus', ['metrics', 'read', 'all', 'metrics-login']],
    ['GET', '/metrics/prometheus', ['metrics', 'read', 'all', 'metrics-login']],
    ['GET', '/admin/clients', ['read', 'all']],
    ['GET', '/clients', ['read', 'all']],
    ['GET', '/admin/version', ['read', 'all']],
    ['POST', '/admin/clients', ['all']],
    ['POST', '/admin/oauth2/introspect', ['read', 'all']],
    ['DELETE', '/admin/oauth2/tokens?client_id=x', ['all']],
    ['GET', '/admin/keys/own', ['all']],
    ['GET', '/keys/own', ['all']],
    ['DELETE', '/admin/keys/own', ['all']],
    ['GET', '/admin/oauth2/auth/sessions/consent?subject=x', ['read', 'accounts', 'all']],
    ['DELETE', '/admin/oauth2/auth/sessions/login?subject=x', ['accounts', 'users', 'all']],
    ['GET', '/admin/nowhere', ['metrics', 'read', 'login', 'accounts', 'users', 'all', 'metrics-login']],
  ];
  it.each(requests)('%s %s is allowed by its rights alone', async (method, path, allowed) => {
    const { call } = await startAdmin({}, undefined, tokens);
    const body = path.endsWith('introspect') ? new URLSearchParams({ token: 'x' }) : undefined;
    for (const { name } of tokens) {
      const { status } = await call(method, path, body, bearer(value(name)));
      expect([name, status === 401 || status === 403]).toEqual([name, !allowed.includes(name)]);
    }
  });

  it('makes every request need a token, and a refusal contains its name', async () => {
    const { call } = await startAdmin({}, undefined, [token('metrics')]);
    expect((await call('GET', '/admin/clients')).status).toBe(401);
    const { status, body } = await call('GET', '/admin/clients', undefined, bearer(value('metrics')));
    expect([status, body.error]).toEqual([403, 'request_forbidden']);
    expect(body.error_description).toContain('"metrics"');
  });

  it('has two values while it is replaced, and works beside the token for everything', async () => {
    const both = `${value('new')},${value('old')}`;
    const { call } = await startAdmin({}, 'a-long-admin-token', [{ name: 'all', rights: ['all'], value: both }]);
    for (const each of [value('new'), value('old'), 'a-long-admin-token']) {
      expect((await call('GET', '/admin/clients', undefined, bearer(each))).status).toBe(200);
    }
    expect((await call('GET', '/admin/clients', undefined, bearer(both))).status).toBe(401);
  });

  it('the file of the token is read again within a second, and a missing file makes the token invalid', async () => {
    const file = join(folder, 'prometheus');
    writeFileSync(file, `${value('old')}\n`);
    const { call } = await startAdmin({}, undefined, [{ name: 'prometheus', rights: ['metrics'], file }]);
    const status = async (name: string) => (await call('GET', '/version', undefined, bearer(value(name)))).status;
    expect([await status('old'), await status('new')]).toEqual([403, 401]);
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
    writeFileSync(file, `${value('new')}\n${value('old')}\nshort\n`);
    expect([await status('old'), await status('new')]).toEqual([403, 403]);
    expect((await call('GET', '/version', undefined, bearer('short'))).status).toBe(401);
    rmSync(file);
    later.mockReturnValue(performance.now() + 1_001);
    expect([await status('old'), await status('new')]).toEqual([401, 401]);
    later.mockRestore();
  });

  it('a file that contains no token is refused at the start', async () => {
    const file = join(folder, 'missing');
    const started = startAdmin({}, undefined, [{ name: 'x', rights: ['all'], file }]);
    await expect(started).rejects.toThrow('admin.tokens of "x"');
  });
});
