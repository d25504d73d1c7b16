import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { authorizationUrl } from '../login.ts';
import { admin, createClient, webClient } from './clients.ts';
import { visit } from './journey.ts';
import { redirectUri, startLikeHydra, strategies } from './start.ts';

describe.each(strategies)('refused authorizations as Hydra has them, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() => startLikeHydra());
  const registered = (metadata = {}) => createClient(instance, webClient({ access_token_strategy, ...metadata }));

  test.each([
    ['login', { login: { accept: false } }],
    ['consent', { login: {}, consent: { accept: false } }],
  ])('a rejected %s gives the client the error of the app', async (_what, decisions) => {
    const { page, query } = await visit(instance, await registered(), decisions);
    expect([page, query.error, query.error_description, query.code]).toEqual([
      'client',
      'access_denied',
      'The resource owner denied the request',
      undefined,
    ]);
  });

  test('an unknown client leads to the error page: invalid_client', async () => {
    const { page, query } = await visit(instance, { client_id: 'i-do-not-exist', scope: 'openid' });
    expect([page, query.error]).toEqual(['error', 'invalid_client']);
  });

  test('a scope that the client is not registered for: invalid_scope, at the client', async () => {
    const client = await registered({ scope: 'foo', grant_types: ['authorization_code'] });
    const { page, query } = await visit(instance, client, { params: { scope: 'bar' } });
    expect([page, query.error]).toEqual(['client', 'invalid_scope']);
  });

  test('a response type that the client is not registered for: unsupported_response_type', async () => {
    const client = await registered({
      application_type: 'native',
      response_types: ['id_token'],
      grant_types: ['implicit'],
    });
    const { page, query } = await visit(instance, client);
    expect([page, query.error]).toEqual(['client', 'unsupported_response_type']);
  });

  test('a client of the client credentials grant alone is refused before the login, not at the token endpoint', async () => {
    const client = await registered({ grant_types: ['client_credentials'] });
    const { page, query } = await visit(instance, client);
    expect([page, query.error]).toEqual(['client', 'unsupported_response_type']);
  });

  test('a redirect URI that is not registered leads to the error page, by a name of its own', async () => {
    const client = await registered({ redirect_uris: ['http://some-other-domain/not-callback'] });
    const { page, query } = await visit(instance, client);
    // Hydra calls this error invalid_request.
    expect([page, query.error]).toEqual(['error', 'invalid_redirect_uri']);
    expect(query.error_description).toContain('redirect_uri');
  });

  test.each([
    ['without a scope', { scope: '' }, 'invalid_scope'],
    ['with a max_age that is no number', { max_age: 'soon' }, 'invalid_request'],
    ['with an unknown prompt', { prompt: 'guess' }, 'invalid_request'],
    ['with claims that are no JSON', { claims: '{' }, 'invalid_request'],
  ])('a request %s is refused at the client, before the login', async (_what, params, error) => {
    const { page, query } = await visit(instance, await registered(), { params });
    expect([page, query.error]).toEqual(['client', error]);
  });

  test.each([
    ['state', 'invalid_request'],
    ['nonce', 'invalid_request'],
    ['scope', undefined],
  ])('%s, sent twice with one value: %s', async (name, error) => {
    const { client_id: id } = await registered();
    const once = authorizationUrl(instance, { id }, { scope: 'openid', redirect_uri: redirectUri });
    const url = `${once}&${name}=${new URL(once).searchParams.get(name)}`;
    const { searchParams } = locationOf(await createBrowser().get(url));
    expect([searchParams.get('error') ?? undefined, searchParams.has('login_challenge')]).toEqual([
      error,
      error === undefined,
    ]);
  });

  test('a client of response type token alone can be registered: it uses no authorization endpoint', async () => {
    const { status } = await admin(instance, 'POST', '/clients', {
      grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['token'],
      access_token_strategy,
    });
    expect(status).toBe(201);
  });
});
