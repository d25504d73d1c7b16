import { findFreePort } from '@carnet/test-servers';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { discovery, postForm } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { consentPage, loginPage } from '../harness.ts';
import type { Json } from '../login.ts';

const keys = await createClientKeys();
const ciba = 'urn:openid:params:grant-type:ciba';
const port = await findFreePort();
/** The second name of the listener, at which a proxy asks for certificates. */
const baseUrl = `http://localhost:${port}`;

const instance = startBeforeTests({
  port,
  config: {
    urls: { login: loginPage, consent: consentPage, backchannelAuthentication: 'http://127.0.0.1:1/notify' },
    http: { trustedProxies: ['127.0.0.2/32'], clientCertificateHeader: 'X-Client-Certificate' },
    features: { ciba: { enabled: true }, mtls: { enabled: true, baseUrl } },
  },
});
registerBeforeTests(instance, 'signing', {
  grant_types: ['client_credentials', ciba],
  redirect_uris: [],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: keys.jwks,
});

const post = async (path: string, audience: string, params: Readonly<Record<string, string>> = {}) =>
  postForm(`${instance.issuer}${path}`, { ...(await keys.authenticate('signing', audience)), ...params });

const credentials = { grant_type: 'client_credentials', scope: 'openid' };

const authenticated = [
  'token_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
];

describe('a client assertion', () => {
  test.each(authenticated)('may name %s as its audience, and the alias of that endpoint', async (name) => {
    const { [name]: endpoint, mtls_endpoint_aliases: aliases } = await discovery(instance);
    const alias = (aliases as Json)[name];
    expect(alias).toBe(String(endpoint).replace(instance.issuer, baseUrl));
    for (const audience of [endpoint, alias])
      expect([audience, (await post('/oauth2/token', String(audience), credentials)).status]).toEqual([audience, 200]);
  });

  test('may name the backchannel endpoint at that endpoint (OpenID CIBA Core, section 7.1)', async () => {
    const request = { scope: 'openid', login_hint: 'alice' };
    const answer = await post('/oauth2/bc-authorize', `${instance.issuer}/oauth2/bc-authorize`, request);
    // The client has authenticated: the app that asks users is what does not answer.
    expect(answer.body.error).toBe('temporarily_unavailable');
  });

  test.each([
    ['another server', () => 'https://elsewhere.test/oauth2/token'],
    ['another server with a path of ours behind it', () => `https://elsewhere.test?${baseUrl}/oauth2/token`],
    ['a path that is no endpoint', () => `${instance.issuer}/oauth2`],
    ['the authorization endpoint', () => `${instance.issuer}/oauth2/auth`],
  ])('must not name %s', async (_what, audience) => {
    expect(await post('/oauth2/token', audience(), credentials)).toMatchObject({ status: 401 });
  });
});
