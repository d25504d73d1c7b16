import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients } from '../call.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import {
  acceptConsent,
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  headless,
  redeem,
  reject,
} from '../login.ts';
import { browserWith, codeAt, pageOf, verifierIn, walk } from '../walk.ts';

describe('a client edited while a flow is under way', () => {
  const instance = startBeforeTests();
  let client: TestClient;
  let count = 0;

  beforeEach(async () => {
    count += 1;
    client = await registerClient(instance, `app-${count}`);
  });

  const admin = async (method: string, body?: object): Promise<void> => {
    const answer = await adminClients(instance, method, `/${client.id}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
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
      const end = await reject(instance, what, challenge);
      await edit();
      expect(await pageOf(await browserWith(flow.cookies).get(end))).toMatch(changed);
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
  const a = registerBeforeTests(instance, 'a');
  const b = registerBeforeTests(instance, 'b', { redirect_uris: ['https://b.test/callback'] });

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
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, a, params));
    const toConsent = withOthers(await acceptLogin(instance, challenge, { subject: 'alice' }));
    const consent = challengeIn(await browser.get(toConsent), 'consent');
    const decided = await acceptConsent(instance, consent, { grant_scope: ['openid', 'profile'] });
    const end = locationOf(await browser.get(withOthers(decided)));
    expect(end.origin + end.pathname).toBe(redirectUri);
    expect(end.hash).toBe('');
    expect(end.searchParams.get('state')).toBe(params.state);

    const asB = await redeem(instance, b, end, { redirect_uri: 'https://b.test/callback' });
    expect(asB.body.error).toBe('invalid_grant');
    const tokens = await redeem(instance, a, end);
    expect(tokens.body.scope).toBe('openid profile');
    expect(decodeJwt(String(tokens.body.id_token))).toMatchObject({ sub: 'alice', aud: 'a', nonce: params.nonce });
  });

  test('a second verifier of the same name is a link that is not valid', async () => {
    const [mine, other] = [await walk(instance, a), await walk(instance, a)];
    const cookies = new Map([...mine.cookies, ...other.cookies]);
    const url = withOthers(mine.loginUrl, { login_verifier: verifierIn(other.loginUrl) });
    expect(await pageOf(await browserWith(cookies).get(url))).toMatch(/^400 .*This link is not valid/s);
  });

  test('of two verifiers of different names the login app’s counts, wherever it stands', async () => {
    const flow = await walk(instance, a);
    for (const url of [
      withOthers(flow.consentUrl, { login_verifier: verifierIn(flow.loginUrl) }),
      withOthers(flow.loginUrl, { consent_verifier: verifierIn(flow.consentUrl) }),
    ]) {
      expect(challengeIn(await browserWith(flow.cookies).get(url), 'consent')).toBeTruthy();
    }
  });
});
