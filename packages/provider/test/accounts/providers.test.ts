import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { authorizationUrl, begin, decideAll, introspect, redeem } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { sqliteUrl, startAccounts } from './start-accounts.ts';
import { callback, adaClaims as claims, startUpstream } from './start-upstream.ts';

const startWith = (provider: object, config: object = {}) =>
  startAccounts(sqliteUrl(), {
    config: {
      ...config,
      accounts: {
        directories: [{ name: 'users', kind: 'sql' }],
        providers: [{ name: 'corp', kind: 'oidc', clientId: 'carnet', signUp: 'automatic', ...provider }],
      },
    } as never,
  });

describe('another Carnet as a provider', () => {
  it('signs in its users, from the login page to the tokens of the client', async () => {
    const { upstream, client, signIn } = await startUpstream();
    const instance = await startWith({ issuer: upstream.issuer, clientSecret: client.secret });
    const app = await registerClient(instance, 'app');
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, app));
    const circumstances = { provider: 'corp', binding: challenge, callback, client_id: 'app' };
    const begun = await instance.call('providers/begin', { ...circumstances, remember: true });
    const answer = await signIn(begun.body.url);
    const state = new URLSearchParams(answer).get('state');
    const found = await instance.call('providers/read', { state });
    expect(found.body).toEqual({ found: { binding: challenge, remember: true } });
    expect((await instance.call('providers/read', { state: 'unknown' })).body).toEqual({});
    const done = await instance.call('providers/finish', { ...circumstances, answer, cookie: begun.body.cookie });
    expect(done.body).toMatchObject({ state: 'done', amr: ['fed'], acr: 'urn:carnet:1fa', claims });
    const { subject, acr, amr } = done.body;
    const end = await decideAll(instance, browser, challenge, { subject, login: { acr, amr } });
    const tokens = await redeem(instance, app, locationOf(await browser.get(end)).searchParams.get('code') ?? '');
    expect(decodeJwt(String(tokens.body.id_token))).toMatchObject({ sub: subject, acr, amr: ['fed'] });
    const audits = instance.logLines.map((line) => JSON.parse(line).audit).filter(Boolean);
    expect(audits).toContainEqual(expect.objectContaining({ action: 'sign_in.provider', outcome: 'success', subject }));
    expect(audits).toContainEqual(expect.objectContaining({ action: 'identity.linked', reason: 'corp', subject }));
    const listed = await instance.call('providers/identities', { subject });
    expect(listed.body.identities).toMatchObject([{ provider: 'corp', label: 'corp', shown: claims.email }]);
  });

  it('ends the sessions and tokens of a user who signs out there', async () => {
    const receiver = await startLogoutReceiver();
    onTestFinished(receiver.close);
    const { upstream, client, signIn } = await startUpstream({ backchannel_logout_uri: receiver.url });
    const instance = await startWith({ issuer: upstream.issuer, clientSecret: client.secret });
    const app = await registerClient(instance, 'app');
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, app));
    const circumstances = { provider: 'corp', binding: challenge, callback, client_id: 'app' };
    const begun = await instance.call('providers/begin', circumstances);
    const answer = await signIn(begun.body.url);
    const done = await instance.call('providers/finish', { ...circumstances, answer, cookie: begun.body.cookie });
    const { subject, acr, amr, auth_time } = done.body;
    const login = { acr, amr, auth_time, remember: true };
    const end = await browser.get(await decideAll(instance, browser, challenge, { subject, login }));
    const tokens = await redeem(instance, app, locationOf(end));
    expect(decodeJwt(String(tokens.body.id_token))).toMatchObject({ auth_time });
    expect((await introspect(instance, tokens.body.access_token)).active).toBe(true);
    await upstream.carnet.sessions.revoke({ subject: 'ada' });
    const [received] = await receiver.until(1);
    const logout_token = received?.token ?? '';
    const notified = await instance.call('providers/backchannel-logout', { provider: 'corp', logout_token });
    expect(notified.body).toEqual({ ok: true });
    expect((await instance.carnet.sessions.list({ subject })).items).toEqual([]);
    expect((await introspect(instance, tokens.body.access_token)).active).toBe(false);
    const audits = instance.logLines.map((line) => JSON.parse(line).audit).filter(Boolean);
    expect(audits).toContainEqual(
      expect.objectContaining({ action: 'session.provider_logout', reason: 'corp', subject }),
    );
    expect(instance.log()).not.toContain(logout_token);
  });

  it('accepts a signed assertion in place of a secret', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' }] };
    const { upstream, signIn } = await startUpstream({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks,
    });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    const instance = await startWith({ issuer: upstream.issuer, privateKey: pem, keyId: 'k1' });
    const circumstances = { provider: 'corp', binding: 'challenge', callback };
    const begun = await instance.call('providers/begin', circumstances);
    const answer = await signIn(begun.body.url);
    const done = await instance.call('providers/finish', { ...circumstances, answer, cookie: begun.body.cookie });
    expect(done.body).toMatchObject({ state: 'done' });
  });

  it('leaves no code, token, secret, state or address of a link in the log', async () => {
    const { upstream, client, signIn } = await startUpstream();
    const instance = await startWith({ issuer: upstream.issuer, clientSecret: client.secret });
    const circumstances = { provider: 'corp', binding: 'challenge-of-the-login', callback };
    const begun = await instance.call('providers/begin', circumstances);
    const answer = await signIn(begun.body.url);
    await instance.call('providers/finish', { ...circumstances, answer, cookie: begun.body.cookie });
    await instance.call('providers/finish', { ...circumstances, answer, cookie: begun.body.cookie });
    const parameters = new URLSearchParams(answer);
    for (const secret of [
      parameters.get('code'),
      parameters.get('state'),
      begun.body.cookie,
      client.secret,
      claims.email,
    ])
      expect(instance.log()).not.toContain(secret);
    expect(instance.log()).toContain('A sign-in at a provider has failed.');
  });
});

it('a private key that cannot be used stops the start, with the name of the provider', async () => {
  const started = startWith({ issuer: 'https://idp.example.com', privateKey: 'a key' });
  await expect(started).rejects.toThrow('accounts: provider corp: privateKey must be a private key in PEM (PKCS #8).');
});

describe('a provider that does not answer', () => {
  const serve = async (body: string | undefined): Promise<string> => {
    const server = createServer((_request, response) => {
      if (body !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { origin, close } = await listen(server);
    onTestFinished(close);
    return origin;
  };

  it.each([
    ['that is silent', undefined, 'timeout'],
    ['with an endless answer', 'x'.repeat(70_000), 'too_large'],
  ])('%s ends the beginning in time, with its reason', async (_title, body, reason) => {
    const issuer = await serve(body);
    const instance = await startWith({ issuer, clientSecret: 's' }, { outbound: { timeoutMs: 300 } });
    const circumstances = { provider: 'corp', binding: 'challenge', callback };
    const began = performance.now();
    const begun = await instance.call('providers/begin', circumstances);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(begun).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(instance.log()).toContain(`"result":"${reason}"`);
  });

  it('does not disturb passwords, nor the readiness of the server', async () => {
    const issuer = await serve(undefined);
    const instance = await startWith({ issuer, clientSecret: 's' });
    const attempt = { login: 'ada@example.com', password: 'wrong', binding: 'challenge' };
    expect((await instance.call('sign-in/password', attempt)).body).toEqual({ state: 'refused' });
    expect((await fetch(`${instance.admin}/health/ready`)).status).toBe(200);
    expect(instance.log()).not.toContain('identity_provider');
  });
});
