import { X509Certificate } from 'node:crypto';
import { type Certified, findFreePort, type NginxServer, openAuthority, startNginx } from '@carnet/test-servers';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch as send } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, refusal } from '../call.ts';
import { basicOf, redirectUri, registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { decideAll, introspect, type Json } from '../login.ts';
import { rawRequest } from '../raw-request.ts';
import { prepare } from '../relying-party.ts';
import { dpopProof } from '../signed-requests.ts';

/** Where nginx connects from: everybody else on this machine is 127.0.0.1. */
const proxyAddress = '127.0.0.2';

const authority = openAuthority();
const server = authority.issued({ subject: '/CN=localhost', alternativeNames: 'DNS:localhost,IP:127.0.0.1' });
const bank = authority.issued({
  subject: '/C=NO/O=Bank, Ltd/CN=bank.test',
  alternativeNames: 'DNS:bank.test,URI:urn:bank:1,email:bank@bank.test,IP:10.1.2.3',
});
const otherBank = authority.issued({ subject: '/C=NO/O=Other/CN=other.test', alternativeNames: 'DNS:other.test' });
const own = authority.selfSigned({ subject: '/CN=own.test' });
const forged = authority.selfSigned({
  subject: '/C=NO/O=Bank, Ltd/CN=bank.test',
  alternativeNames: 'DNS:bank.test,URI:urn:bank:1',
});

let nginx: NginxServer;
let instance: Instance;
let issuer: string;
let direct: string;
let pki: TestClient;
let selfSigned: TestClient;
let bound: TestClient;

const keyOf = ({ cert }: Certified) => ({
  ...new X509Certificate(cert).publicKey.export({ format: 'jwk' }),
  x5c: [new X509Certificate(cert).raw.toString('base64')],
});

beforeAll(async () => {
  const port = await findFreePort();
  const files = authority.paths(server);
  nginx = await startNginx(
    (listen) => `
    listen 127.0.0.1:${listen} ssl;
    ssl_certificate ${files.cert};
    ssl_certificate_key ${files.key};
    ssl_client_certificate ${files.ca};
    ssl_verify_client optional_no_ca;
    location / {
      proxy_pass http://127.0.0.1:${port};
      proxy_bind ${proxyAddress};
      proxy_set_header Host $http_host;
      proxy_set_header X-Client-Certificate $ssl_client_escaped_cert;
      proxy_set_header X-Client-Verify $ssl_client_verify;
    }`,
  );
  issuer = `https://localhost:${nginx.port}`;
  direct = `http://127.0.0.1:${port}`;
  instance = await start({
    port,
    config: {
      issuer,
      http: {
        trustedProxies: [`${proxyAddress}/32`],
        clientCertificateHeader: 'X-Client-Certificate',
        clientVerifiedHeader: 'X-Client-Verify',
      },
      features: { mtls: { enabled: true, baseUrl: `https://127.0.0.1:${nginx.port}` } },
    },
  });
  const machine = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'read' };
  pki = await registerClient(instance, 'pki', {
    ...machine,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: String.raw`CN=bank.test,O=Bank\, Ltd,C=NO`,
    tls_client_certificate_bound_access_tokens: true,
  });
  selfSigned = await registerClient(instance, 'self-signed', {
    ...machine,
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    jwks: { keys: [keyOf(own)] },
  });
  bound = await registerClient(instance, 'bound', {
    tls_client_certificate_bound_access_tokens: true,
    access_token_strategy: 'jwt',
  });
});

afterAll(async () => {
  await instance.stop();
  await nginx.close();
  authority.close();
});

/** `fetch` of somebody with a certificate. Closed with the process: one agent each. */
const fetchWith = (certified?: Certified) => {
  const { cert, key } = certified ?? {};
  const dispatcher = new Agent({ connect: { ca: authority.ca, cert, key } });
  return (url: string | URL, options: Record<string, unknown> = {}) =>
    send(url, { ...options, dispatcher, redirect: 'manual' } as never) as unknown as Promise<Response>;
};

const formOf = (params: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(params).toString(),
});
const clientCredentials = (client_id: string) => formOf({ grant_type: 'client_credentials', client_id, scope: 'read' });

const answerOf = async (response: Response) => ({ status: response.status, body: (await response.json()) as Json });
const tokenOf = async ({ id }: TestClient, certified?: Certified) =>
  answerOf(await fetchWith(certified)(`${issuer}/oauth2/token`, clientCredentials(id)));

const refused = refusal('invalid_client', 401);

describe('a DPoP proof at the endpoints of features.mtls.baseUrl (RFC 9449, section 4.3)', () => {
  const at = (path: string) => `https://127.0.0.1:${nginx.port}${path}`;
  const ask = async (url: string, htu: string, form: Record<string, string>) =>
    answerOf(await fetchWith(bank)(url, formOf(form, { DPoP: await dpopProof(htu) })));

  it.each(['tls_client_auth', 'client_secret_post'])('names the alias: %s', async (method) => {
    const client = await registerClient(instance, `dpop-${method}`, {
      grant_types: ['client_credentials', 'authorization_code'],
      scope: 'openid read',
      token_endpoint_auth_method: method,
      ...(method === 'tls_client_auth' && { tls_client_auth_san_dns: 'bank.test' }),
      dpop_bound_access_tokens: true,
    });
    const credentials = {
      client_id: client.id,
      ...(method === 'client_secret_post' && { client_secret: client.secret }),
    };
    const form = { grant_type: 'client_credentials', scope: 'read', ...credentials };
    const [token, par] = [at('/oauth2/token'), at('/oauth2/par')];
    const mismatch = refusal('invalid_dpop_proof');
    // The second request finds the secret proven.
    for (const _again of [1, 2])
      expect(await ask(token, token, form)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect(await ask(token, `${issuer}/oauth2/token`, form)).toMatchObject({ status: 200 });
    expect(await ask(token, par, form)).toMatchObject(mismatch);
    expect(await ask(token, `https://127.0.0.1.example/oauth2/token`, form)).toMatchObject(mismatch);
    const pushed = { ...credentials, response_type: 'code', scope: 'openid', redirect_uri: redirectUri };
    expect(await ask(par, par, pushed)).toMatchObject({ status: 201 });
    expect(await ask(par, token, pushed)).toMatchObject(mismatch);
  });
});

describe('tls_client_auth (RFC 8705, section 2.1), behind nginx', () => {
  it('authenticates by a verified certificate with the registered subject, and binds the token to it', async () => {
    const { status, body } = await tokenOf(pki, bank);
    expect(status).toBe(200);
    expect(await introspect(instance, body.access_token)).toMatchObject({
      active: true,
      cnf: { 'x5t#S256': bank.thumbprint },
      token_type: 'Bearer',
    });
  });

  it('refuses another subject, a certificate of an unknown authority, and none', async () => {
    expect(await tokenOf(pki, otherBank)).toMatchObject(refused);
    expect(await tokenOf(pki, forged)).toMatchObject(refused);
    expect(await tokenOf(pki)).toMatchObject(refused);
  });

  it.each([
    ['tls_client_auth_san_dns', 'bank.test', 'ank.test'],
    ['tls_client_auth_san_uri', 'urn:bank:1', 'urn:bank:2'],
    ['tls_client_auth_san_email', 'bank@bank.test', 'other@bank.test'],
    ['tls_client_auth_san_ip', '10.1.2.3', '10.1.2.4'],
  ])('compares %s', async (property, right, wrong) => {
    const register = (value: string) =>
      registerClient(instance, `${property}=${value}`, {
        grant_types: ['client_credentials'],
        redirect_uris: [],
        scope: 'read',
        token_endpoint_auth_method: 'tls_client_auth',
        [property]: value,
      });
    expect((await tokenOf(await register(right), bank)).status).toBe(200);
    expect(await tokenOf(await register(wrong), bank)).toMatchObject(refused);
  });
});

describe('self_signed_tls_client_auth (section 2.2)', () => {
  it('authenticates by the registered certificate and no other', async () => {
    expect((await tokenOf(selfSigned, own)).status).toBe(200);
    expect(await tokenOf(selfSigned, forged)).toMatchObject(refused);
    expect(await tokenOf(selfSigned)).toMatchObject(refused);
  });
});

describe('certificate-bound tokens (section 3)', () => {
  it('go through a whole login of openid-client at the endpoint aliases, and are checked at userinfo', async () => {
    const aliases = { use_mtls_endpoint_aliases: true };
    const basic = oidc.ClientSecretBasic(bound.secret ?? '');
    const options = { [oidc.customFetch]: fetchWith(own) as never };
    const config = await oidc.discovery(new URL(issuer), bound.id, aliases, basic, options);
    expect(config.serverMetadata()).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      mtls_endpoint_aliases: { token_endpoint: `https://127.0.0.1:${nginx.port}/oauth2/token` },
    });
    const { url, checks } = await prepare(config);
    const browser = createBrowser(new Map(), fetchWith() as never);
    const begun = locationOf(await browser.get(url)).searchParams.get('login_challenge') ?? '';
    const end = await browser.get(await decideAll(instance, browser, begun));
    const tokens = await oidc.authorizationCodeGrant(config, locationOf(end), checks);
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ 'x5t#S256': own.thumbprint });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ sub: 'alice' });

    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fetchWith(bank)(`${issuer}/userinfo`, { headers })).status).toBe(401);
    expect((await fetchWith()(`${issuer}/userinfo`, { headers })).status).toBe(401);

    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(decodeJwt(refreshed.access_token).cnf).toEqual({ 'x5t#S256': own.thumbprint });
  });

  it('are not issued without a certificate', async () => {
    const form = formOf({ grant_type: 'client_credentials', scope: 'openid' }, basicOf(bound));
    expect((await fetchWith()(`${issuer}/oauth2/token`, form)).status).toBe(400);
  });
});

describe('the header of a client that is no proxy', () => {
  const escaped = ({ cert }: Certified): string => encodeURIComponent(cert);
  const host = () => new URL(issuer).host;
  const { body, method, headers } = clientCredentials('pki');

  /** Straight to the provider, past nginx. */
  const sendDirectly = async (more: Record<string, string>) =>
    (await rawRequest(`${direct}/oauth2/token`, { method, body, headers: { ...headers, host: host(), ...more } }))
      .status;

  it.each(['x-client-certificate', 'X-CLIENT-CERTIFICATE', 'X_Client_Certificate', 'client-cert', 'ssl-client-cert'])(
    'counts for nothing when it comes directly: %s',
    async (name) => {
      expect(await sendDirectly({ [name]: escaped(bank), 'x-client-verify': 'SUCCESS' })).toBe(401);
    },
  );

  it('counts for nothing beside what X-Forwarded-For says', async () => {
    const lie = { 'x-forwarded-for': proxyAddress, forwarded: `for=${proxyAddress}`, 'x-real-ip': proxyAddress };
    const certificate = { 'x-client-certificate': escaped(bank), 'x-client-verify': 'SUCCESS' };
    expect(await sendDirectly({ ...lie, ...certificate })).toBe(401);
  });

  it.each(['X-Client-Certificate', 'X_Client_Certificate'])('does not get past nginx: %s', async (name) => {
    const lie = { ...headers, [name]: escaped(bank), 'X-Client-Verify': 'SUCCESS', X_Client_Verify: 'SUCCESS' };
    for (const certified of [undefined, own]) {
      const response = await fetchWith(certified)(`${issuer}/oauth2/token`, { method, body, headers: lie });
      expect(response.status).toBe(401);
    }
  });
});

describe('a server without a verifier of certificates', () => {
  it('clients can not be registered for tls_client_auth, and can for their own certificate', async () => {
    const other = await startInTest({
      config: {
        http: { trustedProxies: ['127.0.0.1'], clientCertificateHeader: 'Client-Cert' },
        features: { mtls: { enabled: true } },
      },
    });
    const register = (metadata: object) =>
      adminClients(other, 'POST', '', { redirect_uris: [redirectUri], ...metadata });
    const byAuthority = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'bank.test' };
    expect((await register(byAuthority)).status).toBe(400);
    const byItself = { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [keyOf(own)] } };
    expect((await register(byItself)).status).toBe(201);
  });

  it('neither method is available with mTLS off', async () => {
    const other = await startInTest();
    const metadata = { redirect_uris: [redirectUri], tls_client_certificate_bound_access_tokens: true };
    const { status, body } = await adminClients(other, 'POST', '', metadata);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('features.mtls.enabled');
  });
});
