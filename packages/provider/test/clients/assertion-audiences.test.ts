import { findFreePort } from '@carnet/test-servers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postForm } from '../call.ts';
import { registerClient } from '../clients.ts';
import { consentPage, type Instance, loginPage, start } from '../harness.ts';
import type { Json } from '../login.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const ciba = 'urn:openid:params:grant-type:ciba';

let instance: Instance;
/** The second name of the listener, at which a proxy asks for certificates. */
let baseUrl: string;

beforeAll(async () => {
  const port = await findFreePort();
  baseUrl = `http://localhost:${port}`;
  instance = await start({
    port,
    config: {
      urls: { login: loginPage, consent: consentPage, backchannelAuthentication: 'http://127.0.0.1:1/notify' },
      http: { trustedProxies: ['127.0.0.2/32'], clientCertificateHeader: 'X-Client-Certificate' },
      features: { ciba: { enabled: true }, mtls: { enabled: true, baseUrl } },
    },
  });
  await registerClient(instance, 'signing', {
    grant_types: ['client_credentials', ciba],
    redirect_uris: [],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [await exportJWK(publicKey)] },
  });
});
afterAll(() => instance.stop());

const post = async (path: string, audience: string, params: Readonly<Record<string, string>> = {}) => {
  const assertion = new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer('signing')
    .setSubject('signing')
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1m');
  const form = new URLSearchParams({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion.sign(privateKey),
    ...params,
  });
  return postForm(`${instance.issuer}${path}`, form);
};

const credentials = { grant_type: 'client_credentials', scope: 'openid' };

const discovery = async (): Promise<Json & { readonly mtls_endpoint_aliases: Json }> =>
  (await (await fetch(`${instance.issuer}/.well-known/openid-configuration`)).json()) as never;

const authenticated = [
  'token_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
];

describe('a client assertion', () => {
  test.each(authenticated)('may name %s as its audience, and the alias of that endpoint', async (name) => {
    const { [name]: endpoint, mtls_endpoint_aliases } = await discovery();
    const alias = mtls_endpoint_aliases[name];
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
