import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../test/servers/src/listen.ts';
import { createAdminApi } from './admin-api.ts';

const issuer = new URL('https://id.example.com');
const client = { client_id: 'shop', client_name: 'Shop' };

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

const startAdmin = async (handler: RequestListener): Promise<URL> => {
  const { origin, close } = await listen(handler);
  onTestFinished(close);
  return new URL(origin);
};

/** An API whose provider always answers the same; `seen` is what it was asked. */
const apiThatAnswers = async (status: number, body: unknown, adminToken?: string) => {
  const seen: Seen[] = [];
  const adminUrl = await startAdmin(async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, authorization: headers.authorization, body: await text(request) });
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { api: createAdminApi({ adminUrl, adminToken, issuer }), seen };
};

const acceptance = { subject: 'u1', remember: true, remember_for: 60, amr: ['pwd'] };

describe('the admin API client', () => {
  it('asks for a login request and keeps what the page needs of it', async () => {
    const answer = {
      challenge: 'c',
      skip: false,
      subject: '',
      client: { ...client, owner: 'of no use to the page' },
      request_url: 'x',
      oidc_context: {},
    };
    const { api, seen } = await apiThatAnswers(200, answer, 'token-1');
    expect(await api.login.find('a b&c')).toEqual({
      state: 'open',
      request: { skip: false, subject: '', client, oidc_context: {}, request_url: 'x' },
    });
    expect(seen[0]).toEqual({
      method: 'GET',
      url: '/admin/oauth2/auth/requests/login?login_challenge=a+b%26c',
      authorization: 'Bearer token-1',
      body: '',
    });
  });

  it('puts an acceptance and returns where to go', async () => {
    const { api, seen } = await apiThatAnswers(200, {
      redirect_to: 'https://id.example.com/oauth2/auth?login_verifier=v',
    });
    const decided = await api.login.accept('c', acceptance);
    expect(decided).toEqual({ state: 'decided', redirectTo: 'https://id.example.com/oauth2/auth?login_verifier=v' });
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: '/admin/oauth2/auth/requests/login/accept?login_challenge=c',
      authorization: undefined,
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(acceptance);
  });

  it('takes lists that are null for empty ones', async () => {
    const { api } = await apiThatAnswers(200, { subject: 'u1', client, requested_scope: null });
    expect(await api.consent.find('c')).toMatchObject({
      request: { requested_scope: [], requested_access_token_audience: [] },
    });
  });

  it('rejects a logout, which answers without a body', async () => {
    const { api, seen } = await apiThatAnswers(204, '');
    await api.logout.reject('c');
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: '/admin/oauth2/auth/requests/logout/reject?logout_challenge=c',
    });
  });

  it('tells an expired challenge from an unknown one', async () => {
    const gone = await apiThatAnswers(410, { redirect_to: 'https://id.example.com/oauth2/auth?client_id=shop' });
    const restartAt = 'https://id.example.com/oauth2/auth?client_id=shop';
    expect(await gone.api.login.find('c')).toEqual({ state: 'expired', restartAt });
    expect(await gone.api.login.accept('c', acceptance)).toEqual({ state: 'expired', restartAt });
    const unknown = await apiThatAnswers(404, { error: 'Not Found' });
    expect(await unknown.api.consent.find('c')).toEqual({ state: 'unknown' });
  });

  it.each([200, 410])('follows no redirect_to off the issuer, with status %i', async (status) => {
    const { api } = await apiThatAnswers(status, { redirect_to: 'https://evil.example/' });
    await expect(api.login.accept('c', acceptance)).rejects.toMatchObject({ code: 'foreign_redirect' });
  });

  it.each([
    [500, {}, 'api_unavailable'],
    [503, { error: 'temporarily_unavailable' }, 'api_unavailable'],
    [401, { error: 'The request could not be authorized' }, 'api_refused'],
    [400, { error: 'invalid_request' }, 'api_refused'],
    [200, '<html>', 'api_refused'],
    [200, { skip: 'no' }, 'api_refused'],
  ])('takes status %i with %j for %s', async (status, body, code) => {
    const { api } = await apiThatAnswers(status, body);
    await expect(api.login.find('c')).rejects.toMatchObject({ code });
  });

  it('does not carry its token along when redirected', async () => {
    let visits = 0;
    const elsewhere = await startAdmin((_request, response) => {
      visits += 1;
      response.end();
    });
    const adminUrl = await startAdmin((_request, response) => {
      response.writeHead(307, { location: elsewhere.href }).end();
    });
    const api = createAdminApi({ adminUrl, adminToken: 'token-1', issuer });
    await expect(api.login.find('c')).rejects.toMatchObject({ code: 'api_unavailable' });
    expect(visits).toBe(0);
  });

  it('does not wait for ever', async () => {
    const adminUrl = await startAdmin(() => {});
    const api = createAdminApi({ adminUrl, issuer, timeoutMilliseconds: 50 });
    await expect(api.login.find('c')).rejects.toMatchObject({ code: 'api_unavailable' });
  });

  it('says unavailable when nobody listens', async () => {
    const { origin, close } = await listen(() => {});
    await close();
    const adminUrl = new URL(origin);
    await expect(createAdminApi({ adminUrl, issuer }).login.find('c')).rejects.toMatchObject({
      code: 'api_unavailable',
    });
  });
});
