import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, openAuthority } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { createFileDirectory, createPasswordHashing } from '../../packages/accounts/src/directory/index.ts';
import { type Program, spawnNode } from '../../packages/cli/test/start-program.ts';
import type { ConfigInput } from '../../packages/provider/src/config/config-input.ts';
import { postForm } from '../../packages/provider/test/call.ts';
import { registerClient } from '../../packages/provider/test/clients.ts';
import { consentPage, type Instance, loginPage, start } from '../../packages/provider/test/harness.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const settingsOf = (name: string) => parse(readFileSync(pathOf(name), 'utf8')) as ConfigInput;

const folder = folderForTests();
const usersFile = join(folder, 'users.json');
const writeUsers = () => execFileSync(process.execPath, [pathOf('write-users.ts'), usersFile], { encoding: 'utf8' });
const passwords = Object.fromEntries(
  writeUsers()
    .trim()
    .split('\n')
    .map((line) => line.split(' ')),
) as Readonly<Record<string, string>>;

const discoveryOf = async ({ issuer }: Instance) =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;

describe('write-users.ts', () => {
  test('writes users of a directory of the kind file, with every standard claim, and prints their passwords', async () => {
    const directory = createFileDirectory({ name: 'users', path: usersFile, hashing: createPasswordHashing() });
    const user = await directory.find('demo@example.com');
    if (user === undefined) throw new Error('demo@example.com is missing');
    const { supportedClaims = [] } = settingsOf('carnet.yaml').oidc ?? {};
    expect(Object.keys(user.claims)).toEqual(expect.arrayContaining(supportedClaims));
    expect(await directory.verify(user, passwords['demo@example.com'] ?? '')).toMatchObject({ accepted: true });
    expect(await directory.verify(user, 'carnet-demo')).toMatchObject({ accepted: false });
  });

  test('replaces no file', () => {
    expect(writeUsers).toThrow(/EEXIST/);
  });
});

describe.each(['carnet.yaml', 'ciba.yaml', 'fapi2-message-signing.yaml'])('%s', (name) => {
  test('has no member of discovery that only Hydra has', async () => {
    const { features, oidc, ttl, http, urls } = settingsOf(name);
    const pages = { login: loginPage, consent: consentPage, ...urls };
    const instance = await start({ config: { features, oidc, ttl, http, urls: pages } });
    onTestFinished(() => instance.stop());
    const document = await discoveryOf(instance);
    expect(document).not.toHaveProperty('id_token_signed_response_alg');
    expect(document).not.toHaveProperty('userinfo_signed_response_alg');
    if (name === 'carnet.yaml') expect(document.acr_values_supported).toEqual(['urn:carnet:1fa']);
    if (name.startsWith('fapi2')) expect(document.require_signed_request_object).toBe(true);
  });
});

describe('ciba.yaml with ciba-app.ts', () => {
  const authority = openAuthority();
  const { cert } = authority.selfSigned({ subject: '/CN=client.test' });
  const headers = { 'x-client-certificate': encodeURIComponent(cert), 'x-client-verify': 'SUCCESS' };
  const ciba = 'urn:openid:params:grant-type:ciba';
  let instance: Instance;
  let app: string;
  let program: Program;
  let privateKey: CryptoKey;

  beforeAll(async () => {
    const port = await findFreePort();
    app = `http://127.0.0.1:${port}`;
    const { features, oidc, http } = settingsOf('ciba.yaml');
    const urls = { login: loginPage, consent: consentPage, backchannelAuthentication: `${app}/backchannel` };
    instance = await start({ config: { features, oidc, http, urls } });
    const env = { PORT: String(port), CARNET_ADMIN_URL: instance.admin, DECIDE_TOKEN: 'x', USERS_FILE: usersFile };
    program = spawnNode([pathOf('ciba-app.ts')], env, folder);
    await program.line('The app listens');
    const keys = await generateKeyPair('ES256', { extractable: true });
    privateKey = keys.privateKey;
    await registerClient(instance, 'bank', {
      grant_types: [ciba],
      redirect_uris: [],
      token_endpoint_auth_method: 'private_key_jwt',
      backchannel_authentication_request_signing_alg: 'ES256',
      tls_client_certificate_bound_access_tokens: true,
      jwks: { keys: [await exportJWK(keys.publicKey)] },
    });
  });
  afterAll(async () => {
    program?.child.kill();
    await program?.exited;
    await instance?.stop();
    authority.close();
  });

  const sign = (claims: object) =>
    new SignJWT({ jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer('bank')
      .setAudience(instance.issuer)
      .setIssuedAt()
      .setNotBefore('0s')
      .setExpirationTime('1m')
      .sign(privateKey);

  const post = async (path: string, params: Readonly<Record<string, string>>) =>
    postForm(
      `${instance.issuer}${path}`,
      new URLSearchParams({
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await sign({ sub: 'bank' }),
        ...params,
      }),
      headers,
    );
  const request = async (login_hint: string) =>
    post('/oauth2/bc-authorize', { request: await sign({ scope: 'openid', login_hint }) });
  const poll = (id: unknown) => post('/oauth2/token', { grant_type: ciba, auth_req_id: String(id) });

  test('a user allows a request, and the resource returns x-fapi-interaction-id for the bound token', async () => {
    const { body } = await request('demo@example.com');
    expect((await fetch(`${app}/decide?action=allow`)).status).toBe(404);
    expect((await fetch(`${app}/decide?action=allow&token=x`)).status).toBe(204);
    const tokens = await poll(body.auth_req_id);
    expect(tokens).toMatchObject({ status: 200, body: { id_token: expect.any(String) } });
    const call = (more: Readonly<Record<string, string>>) =>
      fetch(`${app}/resource`, { headers: { authorization: `Bearer ${tokens.body.access_token}`, ...more } });
    const answer = await call({ ...headers, 'x-fapi-interaction-id': 'c770aef3-6784-41f7-8e0e-ff5f97bddb3a' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-fapi-interaction-id')).toBe('c770aef3-6784-41f7-8e0e-ff5f97bddb3a');
    expect((await call({})).status).toBe(401);
  });

  test('a user denies a request', async () => {
    const { body } = await request('grace@example.com');
    await fetch(`${app}/decide?action=deny&token=x`);
    expect(await poll(body.auth_req_id)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  test('a hint of no user is refused', async () => {
    expect(await request('nobody@example.com')).toMatchObject({ status: 400, body: { error: 'unknown_user_id' } });
  });
});
