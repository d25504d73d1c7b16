import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { sendJson } from '../call.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import {
  authorizationUrl,
  authorizeAt,
  credentialsFor,
  decideAll,
  headless,
  introspect,
  type Json,
  logIn,
  redeem,
  refresh,
} from '../login.ts';

const open = 'https://mcp.test/mcp';
const closed = 'https://billing.test/api';
const assigned = 'https://assigned.test/api';
/** An audience of the client `billing`, which is no resource of the configuration. */
const ledger = 'https://ledger.test/api';

const instance = startBeforeTests({
  config: {
    resources: [
      { identifier: open, scope: 'tools:read tools:write', accessTokenStrategy: 'jwt', clients: 'all' },
      { identifier: closed, scope: 'bills tools:read' },
      { identifier: assigned, scope: 'assigned:read', accessTokenStrategy: 'jwt' },
    ],
    oidc: {
      dynamicClientRegistration: {
        enabled: true,
        maxPerMinute: 600,
        allowedScopes: ['openid', 'offline_access'],
        defaultAudience: [assigned],
      },
    },
  },
});
const open_ = { token_endpoint_auth_method: 'none' };
const client = registerBeforeTests(instance, 'app', { ...open_, scope: 'openid offline_access' });
const billing = registerBeforeTests(instance, 'billing', {
  ...open_,
  scope: 'openid bills',
  audience: [closed, ledger],
});
type Params = Readonly<Record<string, string>>;

/** A login for these parameters that the consent app grants as it was asked; the URL at the client. */
const end = async (who: TestClient, params: Params): Promise<URL> => {
  const browser = createBrowser();
  // Only a request with the openid scope may have one.
  const nonce = params.scope === '' ? { nonce: undefined } : {};
  const answer = await browser.get(authorizationUrl(instance, who, { ...params, ...nonce }));
  const location = locationOf(answer);
  const challenge = location.searchParams.get('login_challenge');
  if (challenge === null) return location;
  const asked = (await headless(instance, 'GET', `login?login_challenge=${challenge}`)).body;
  const consent = {
    grant_scope: asked.requested_scope,
    grant_access_token_audience: asked.requested_access_token_audience,
  };
  return locationOf(await browser.get(await decideAll(instance, browser, challenge, { consent })));
};
const register = (metadata: Json = {}) =>
  sendJson('POST', `${instance.issuer}/oauth2/register`, { redirect_uris: [redirectUri], ...open_, ...metadata });

describe('a resource that is open to all clients (RFC 8707)', () => {
  test('the resource and its scopes are available to a client that has registered neither', async () => {
    const at = await end(client, { scope: 'openid offline_access tools:read', resource: open });
    const { status, body } = await redeem(instance, client, at, { resource: open });
    expect([status, body.scope]).toEqual([200, 'tools:read']);
    expect(decodeJwt(String(body.access_token))).toMatchObject({ aud: [open], scope: 'tools:read', sub: 'alice' });
    const refreshed = await refresh(instance, client, body.refresh_token, { resource: open });
    expect(decodeJwt(String(refreshed.body.access_token))).toMatchObject({ aud: [open], scope: 'tools:read' });
    expect(await introspect(instance, refreshed.body.access_token)).toMatchObject({
      active: true,
      scope: 'tools:read',
    });
  });

  test('gives all of its scopes to a request that names none', async () => {
    const at = await end(client, { scope: '', resource: open });
    const { body } = await redeem(instance, client, at, { resource: open });
    expect(body.scope).toBe('tools:read tools:write');
  });

  test.each<[string, Params, string]>([
    ['its scopes without naming it', { scope: 'openid tools:read' }, 'invalid_scope'],
    ['its scopes for another resource', { scope: 'openid tools:read', resource: closed }, 'invalid_'],
    ['scopes that it does not know', { scope: 'openid bills', resource: open }, 'invalid_scope'],
    ['a resource that is not open', { scope: 'openid', resource: closed }, 'invalid_target'],
  ])('does not open %s', async (_what, params, error) => {
    expect((await end(client, params)).searchParams.get('error')).toContain(error);
  });

  test('grants no scope of its own that the consent app grants without it', async () => {
    const params = { scope: 'openid tools:read', resource: open };
    const challenge = await logIn(instance, client, { params });
    const { status, body } = await headless(instance, 'PUT', `consent/accept?consent_challenge=${challenge}`, {
      grant_scope: ['openid', 'tools:read'],
    });
    const error_description = "Field 'grant_scope' names 'tools:read', which the client is not registered for.";
    expect([status, body.error_description]).toEqual([400, error_description]);
  });

  describe('named together with another resource of the client', () => {
    test.each<[string, Params, { aud: string[]; scope: string }]>([
      ['a token without a resource none of its scopes', {}, { aud: [ledger], scope: 'openid' }],
      ['a token for the other resource none of its scopes', { resource: closed }, { aud: [closed], scope: '' }],
      ['a token for itself its scopes', { resource: open }, { aud: [open], scope: 'tools:read' }],
    ])('gives %s', async (_what, params, expected) => {
      const url = new URL(authorizationUrl(instance, billing, { scope: 'openid tools:read', audience: ledger }));
      for (const resource of [open, closed]) url.searchParams.append('resource', resource);
      const consent = { grant_scope: ['openid', 'tools:read'], grant_access_token_audience: [open, closed, ledger] };
      const { body } = await redeem(instance, billing, await authorizeAt(instance, url.href, { consent }), params);
      expect(await introspect(instance, body.access_token)).toMatchObject(expected);
    });
  });

  test('gives a client for itself only the scopes that it has registered', async () => {
    const machine = await registerClient(instance, 'machine', { scope: 'tools:read' });
    const own = (scope: string) => credentialsFor(instance, machine, { resource: open, scope });
    expect((await own('tools:read')).body.scope).toBe('tools:read');
    expect((await own('tools:write')).body.error).toBe('invalid_scope');
  });
});

describe('a client that registers itself', () => {
  test('gets the default audience and its scopes when it names no audience', async () => {
    const { body } = await register();
    expect([body.audience, body.scope]).toEqual([[assigned], 'offline_access openid assigned:read']);
    const mine = { id: String(body.client_id) };
    const at = await end(mine, { scope: 'openid assigned:read', resource: assigned });
    const tokens = await redeem(instance, mine, at, { resource: assigned });
    expect(decodeJwt(String(tokens.body.access_token))).toMatchObject({ aud: [assigned], scope: 'assigned:read' });
  });

  test('may register the scopes of resources that it may use, though allowedScopes does not list them', async () => {
    const { body } = await register({ scope: 'openid tools:read' });
    expect(body.scope).toBe('openid tools:read assigned:read');
    expect((await register({ scope: 'openid bills' })).body.error).toBe('invalid_client_metadata');
  });

  test('keeps to the audience that it names', async () => {
    const { body } = await register({ audience: [open], scope: 'openid' });
    expect([body.audience, body.scope]).toEqual([[open], 'openid']);
  });
});
