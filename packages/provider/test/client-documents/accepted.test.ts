import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, call, sendJson, userinfo } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { redirectUri, registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { askLogin, authorizationUrl, authorize, introspect, login, redeem, refresh } from '../login.ts';
import { isAsked, pathOf, useDocuments, visit } from './documents.ts';

const { host, open, documented } = useDocuments();

describe('a client whose id is the URL of its metadata document', () => {
  test('signs users in, refreshes and is introspected, with one fetch and without a row of its own', async () => {
    const instance = await open();
    const id = documented();
    const tokens = await login(instance, { id });
    const refreshed = await refresh(instance, { id }, tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(await introspect(instance, refreshed.body.access_token)).toMatchObject({ active: true, client_id: id });
    expect((await userinfo(instance, refreshed.body.access_token)).status).toBe(200);
    expect(host().fetched).toEqual([pathOf(id)]);
    expect((await instance.adapter.list({ kind: 'client', limit: 10 })).records).toEqual([]);
    expect((await adminClients(instance, 'GET', `/${encodeURIComponent(id)}`)).status).toBe(404);
  });

  test('has access tokens that end when its id is registered, which the refusal to revoke them says', async () => {
    const instance = await open();
    const id = documented();
    const { access_token } = await login(instance, { id });
    const revoke = () =>
      sendJson('DELETE', `${instance.admin}/admin/oauth2/tokens?${new URLSearchParams({ client_id: id })}`);
    const error_description = expect.stringContaining('register a client with its client_id');
    expect(await revoke()).toMatchObject({ status: 400, body: { error_description } });
    expect(await introspect(instance, access_token)).toMatchObject({ active: true });
    await registerClient(instance, id);
    expect(await introspect(instance, access_token)).toEqual({ active: false });
    expect((await revoke()).status).toBe(204);
  });

  test('both metadata documents announce the feature, and omit it while it is off', async () => {
    const [on, off] = [await open(), await open({ enabled: false })];
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const documentOf = async ({ issuer }: Instance) => (await call(issuer + path)).body;
      expect((await documentOf(on)).client_id_metadata_document_supported).toBe(true);
      expect(await documentOf(off)).not.toHaveProperty('client_id_metadata_document_supported');
    }
    expect((await visit(off, documented())).status).toBe(302);
    expect(host().fetched).toEqual([]);
  });

  test('the login app and the audit log receive the URL of the client and the metadata of the document', async () => {
    const instance = await open();
    const id = documented({ client_uri: 'https://app.test' });
    expect((await askLogin(instance, { id })).client).toMatchObject({
      client_id: id,
      client_name: 'Documented',
      client_uri: 'https://app.test',
      token_endpoint_auth_method: 'none',
    });
    expect(instance.log()).toContain('"action":"client.document","outcome":"success"');
  });

  test('has its tokens when its document is fetched again, by another process too', async () => {
    const id = documented();
    const first = await open();
    const tokens = await login(first, { id });
    const second = await open({}, { adapter: first.adapter });
    expect(await introspect(second, tokens.access_token)).toMatchObject({ active: true });
    expect(host().fetched).toHaveLength(2);
  });

  test('listens on any port of the loopback interface (RFC 8252, section 7.3)', async () => {
    const instance = await open();
    const id = documented({ redirect_uris: ['http://127.0.0.1/callback'] });
    const url = authorizationUrl(instance, { id }, { redirect_uri: 'http://127.0.0.1:49152/callback' });
    expect(locationOf(await createBrowser().get(url)).searchParams.has('login_challenge')).toBe(true);
  });

  test('authenticates by private_key_jwt where its document has keys', async () => {
    const instance = await open();
    const keys = await createClientKeys();
    const id = documented({ token_endpoint_auth_method: 'private_key_jwt', jwks: keys.jwks });
    const redeemWith = async (more: Readonly<Record<string, string>>) =>
      redeem(instance, { id }, await authorize(instance, { id }), more);
    expect((await redeemWith(await keys.authenticate(id, instance.issuer))).status).toBe(200);
    expect((await redeemWith({})).body.error).toBe('invalid_client');
  });

  test('has the metadata that an administrator registered under its URL, and no document is fetched', async () => {
    const instance = await open();
    const id = documented();
    await registerClient(instance, id, { token_endpoint_auth_method: 'none', grant_types: ['refresh_token'] });
    expect(await isAsked(instance, id)).toBe(false);
    expect(host().fetched).toEqual([]);
  });

  test('loses its tokens to a client that an administrator registers under its URL, and the other way round', async () => {
    const instance = await open();
    const id = documented();
    const tokens = await login(instance, { id });
    const isActive = async (value: unknown) => (await introspect(instance, value)).active;
    expect(await isActive(tokens.access_token)).toBe(true);
    const client = { client_id: id, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
    const sent = { ...client, grant_types: ['authorization_code'], scope: 'openid profile' };
    expect((await adminClients(instance, 'POST', '', sent)).status).toBe(201);
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await refresh(instance, { id }, tokens.refresh_token)).status).toBe(400);
    const asked = { params: { scope: 'openid profile' }, consent: { grant_scope: ['openid', 'profile'] } };
    const registered = await login(instance, { id }, asked);
    expect(await isActive(registered.access_token)).toBe(true);
    expect((await adminClients(instance, 'DELETE', `/${encodeURIComponent(id)}`)).status).toBe(204);
    expect(await isActive(registered.access_token)).toBe(false);
  });

  test('gets only the grant types and scopes that clients may register here', async () => {
    const settings = { allowedScopes: ['openid', 'profile'], allowedGrantTypes: ['authorization_code'] };
    const instance = await open({}, { config: { oidc: { dynamicClientRegistration: settings } } });
    const id = documented({
      scope: 'openid profile admin',
      grant_types: ['authorization_code', 'client_credentials', 'urn:example:other'],
    });
    const { client } = await askLogin(instance, { id }, { params: { scope: 'openid profile' } });
    expect(client).toMatchObject({ scope: 'openid profile', grant_types: ['authorization_code'] });
  });
});
