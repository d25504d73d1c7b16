import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import {
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  codeVerifier,
  headless,
  type Json,
  redeem,
  token,
} from '../login.ts';
import { browserWith, codeAt, pageOf, verifierIn, walk } from '../walk.ts';

const claimsOf = ({ id_token: jwt }: Json): Json =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Json;

describe('a client edited while a flow is under way', () => {
  const instance = startBeforeTests();
  let client: TestClient;
  let count = 0;

  beforeEach(async () => {
    count += 1;
    client = await registerClient(instance, `app-${count}`);
  });

  const admin = async (method: string, body?: object): Promise<void> => {
    const url = `${instance.admin}/admin/clients/${client.id}`;
    const response = await fetch(url, { method, body: body && JSON.stringify(body) });
    expect(response.ok, await response.text()).toBe(true);
  };
  const edits: Readonly<Record<string, () => Promise<void>>> = {
    'its redirect_uri removed': () =>
      admin('PATCH', [{ op: 'replace', path: '/redirect_uris', value: ['https://app.test/another'] }]),
    'the client deleted': () => admin('DELETE'),
  };
  const changed = /^400 .*The application has changed/s;

  describe.each(Object.entries(edits))('%s', (_name, edit) => {
    test.each(['loginUrl', 'consentUrl'] as const)('the flow ends with a page, and no redirect (%s)', async (leg) => {
      const flow = await walk(instance, client, { login: { remember: true } });
      const sessions = async () =>
        (await instance.adapter.list({ kind: 'session', subject: 'alice', limit: 100 })).records;
      const before = await sessions();
      await edit();
      const browser = browserWith(flow.cookies);
      expect(await pageOf(await browser.get(flow[leg]))).toMatch(changed);
      expect(browser.cookies.has('carnet_session')).toBe(false);
      expect(await sessions()).toEqual(before);
    });

    test.each(['login', 'consent'] as const)('a rejection never redirects to the edited client (%s)', async (what) => {
      const flow = await walk(instance, client);
      const challenge = what === 'login' ? flow.loginChallenge : flow.consentChallenge;
      const { body } = await headless(instance, 'PUT', `${what}/reject?${what}_challenge=${challenge}`, {
        error: 'access_denied',
      });
      await edit();
      expect(await pageOf(await browserWith(flow.cookies).get(String(body.redirect_to)))).toMatch(changed);
    });
  });

  test('a code issued before its client was deleted gets no tokens', async () => {
    const flow = await walk(instance, client);
    const code = await codeAt(flow.browser, flow.consentUrl);
    await admin('DELETE');
    expect((await redeem(instance, client, code)).body.error).toBe('invalid_client');
  });

  test('the API knows no request of a deleted client', async () => {
    const flow = await walk(instance, client);
    await admin('DELETE');
    expect((await headless(instance, 'GET', `login?login_challenge=${flow.loginChallenge}`)).status).toBe(404);
    expect((await headless(instance, 'GET', `consent?consent_challenge=${flow.consentChallenge}`)).status).toBe(404);
    const accept = await headless(instance, 'PUT', `consent/accept?consent_challenge=${flow.consentChallenge}`, {});
    expect(accept.status).toBe(404);
  });

  test('an edit that takes nothing away ends no flow', async () => {
    const flow = await walk(instance, client);
    await admin('PATCH', [{ op: 'replace', path: '/redirect_uris', value: [redirectUri, 'https://app.test/another'] }]);
    expect((await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl))).status).toBe(200);
  });
});

describe('what is added to the URL of a verifier', () => {
  const instance = startBeforeTests();
  const clients: TestClient[] = [];

  beforeAll(async () => {
    clients.push(await registerClient(instance, 'a'));
    clients.push(await registerClient(instance, 'b', { redirect_uris: ['https://b.test/callback'] }));
  });

  const params = { state: 'the state of a', nonce: 'the nonce of a' };
  const ofOthers = {
    client_id: 'b',
    redirect_uri: 'https://b.test/callback',
    state: 'the state of b',
    nonce: 'the nonce of b',
    scope: 'openid email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWDjzGAjzGtgs',
    code_challenge_method: 'plain',
    response_type: 'token',
    response_mode: 'fragment',
    prompt: 'none',
    max_age: '0',
    login_hint: 'eve',
    id_token_hint: 'e30.e30.e30',
    claims: '{}',
    request: 'e30.e30.e30',
    request_uri: 'https://evil.test/request',
    resource: 'https://evil.test/',
  };
  const withOthers = (url: string, more: Readonly<Record<string, string>> = ofOthers): string => {
    const changed = new URL(url);
    for (const [name, value] of Object.entries(more)) changed.searchParams.append(name, value);
    return changed.href;
  };

  test('the challenge of client A finished with B’s parameters in the URL: the code belongs to A, with A’s parameters', async () => {
    const [a, b] = clients as [TestClient, TestClient];
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, a, params));
    const toConsent = withOthers(await acceptLogin(instance, challenge, { subject: 'alice' }));
    const { body } = await headless(
      instance,
      'PUT',
      `consent/accept?consent_challenge=${challengeIn(await browser.get(toConsent), 'consent')}`,
      { grant_scope: ['openid', 'profile'] },
    );
    const end = locationOf(await browser.get(withOthers(String(body.redirect_to))));
    expect(end.origin + end.pathname).toBe(redirectUri);
    expect(end.hash).toBe('');
    expect(end.searchParams.get('state')).toBe(params.state);

    const code = end.searchParams.get('code') ?? '';
    const asB = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://b.test/callback',
      code_verifier: codeVerifier,
    };
    expect((await token(instance, b, asB)).body.error).toBe('invalid_grant');
    const tokens = await redeem(instance, a, code);
    expect(tokens.body.scope).toBe('openid profile');
    expect(claimsOf(tokens.body)).toMatchObject({ sub: 'alice', aud: 'a', nonce: params.nonce });
  });

  test('a second verifier of the same name is a link that is not valid', async () => {
    const [a] = clients as [TestClient];
    const [mine, other] = [await walk(instance, a), await walk(instance, a)];
    const cookies = new Map([...mine.cookies, ...other.cookies]);
    const url = withOthers(mine.loginUrl, { login_verifier: verifierIn(other.loginUrl) });
    expect(await pageOf(await browserWith(cookies).get(url))).toMatch(/^400 .*This link is not valid/s);
  });

  test('of two verifiers of different names the login app’s counts, wherever it stands', async () => {
    const [a] = clients as [TestClient];
    const flow = await walk(instance, a);
    for (const url of [
      withOthers(flow.consentUrl, { login_verifier: verifierIn(flow.loginUrl) }),
      withOthers(flow.loginUrl, { consent_verifier: verifierIn(flow.consentUrl) }),
    ]) {
      expect(challengeIn(await browserWith(flow.cookies).get(url), 'consent')).toBeTruthy();
    }
  });
});
