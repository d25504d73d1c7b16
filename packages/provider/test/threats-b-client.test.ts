import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFlowId } from '../src/flow/flow-id.ts';
import { encodeState } from '../src/flow/state-codec.ts';
import { createBrowser, locationOf } from './browser.ts';
import { redirectUri, registerClient, type TestClient } from './clients.ts';
import { type Instance, start } from './harness.ts';
import { acceptLogin, authorizationUrl, begin, challengeIn, codeVerifier, headless, type Json, redeem, token } from './login.ts';
import { browserWith, codeAt, pageOf, sealerOf, verifierIn, walk } from './walk.ts';

const claimsOf = ({ id_token: jwt }: Json): Json =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Json;

describe('a client edited while a flow is under way', () => {
  let instance: Instance;
  let client: TestClient;
  let count = 0;

  beforeAll(async () => {
    instance = await start();
  });
  beforeEach(async () => {
    count += 1;
    client = await registerClient(instance, `app-${count}`);
  });
  afterAll(() => instance.stop());

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
    test.each(['loginUrl', 'consentUrl'] as const)('B: the flow ends with a page, and no redirect (%s)', async (leg) => {
      const flow = await walk(instance, client, { login: { remember: true } });
      await edit();
      expect(await pageOf(await browserWith(flow.cookies).get(flow[leg]))).toMatch(changed);
      expect((await instance.adapter.list({ kind: 'session', limit: 100 })).records).toEqual([]);
    });

    test.each(['login', 'consent'] as const)('B: nor does a rejection go to the client (%s)', async (what) => {
      const flow = await walk(instance, client);
      const challenge = what === 'login' ? flow.loginChallenge : flow.consentChallenge;
      const { body } = await headless(instance, 'PUT', `${what}/reject?${what}_challenge=${challenge}`, { error: 'access_denied' });
      await edit();
      expect(await pageOf(await browserWith(flow.cookies).get(String(body.redirect_to)))).toMatch(changed);
    });

    test('B: nor does a code that was issued before get tokens', async () => {
      const flow = await walk(instance, client);
      const code = await codeAt(flow.browser, flow.consentUrl);
      await edit();
      expect((await redeem(instance, client, code)).status).toBe(_name === 'the client deleted' ? 401 : 200);
    });
  });

  test('B: the API knows no request of a deleted client', async () => {
    const flow = await walk(instance, client);
    await admin('DELETE');
    expect((await headless(instance, 'GET', `login?login_challenge=${flow.loginChallenge}`)).status).toBe(404);
    expect((await headless(instance, 'GET', `consent?consent_challenge=${flow.consentChallenge}`)).status).toBe(404);
    const accept = await headless(instance, 'PUT', `consent/accept?consent_challenge=${flow.consentChallenge}`, {});
    expect(accept.status).toBe(404);
  });

  test('B: an edit that takes nothing away ends no flow', async () => {
    const flow = await walk(instance, client);
    await admin('PATCH', [{ op: 'replace', path: '/redirect_uris', value: [redirectUri, 'https://app.test/another'] }]);
    expect((await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl))).status).toBe(200);
  });
});

describe('what is added to the URL of a verifier', () => {
  let instance: Instance;
  const clients: TestClient[] = [];

  beforeAll(async () => {
    instance = await start();
    clients.push(await registerClient(instance, 'a'));
    clients.push(await registerClient(instance, 'b', { redirect_uris: ['https://b.test/callback'] }));
  });
  afterAll(() => instance.stop());

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

  test('B: the challenge of client A finished with B’s parameters in the URL: the code belongs to A, with A’s parameters', async () => {
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
    const asB = { grant_type: 'authorization_code', code, redirect_uri: 'https://b.test/callback', code_verifier: codeVerifier };
    expect((await token(instance, b, asB)).body.error).toBe('invalid_grant');
    const tokens = await redeem(instance, a, code);
    expect(tokens.body.scope).toBe('openid profile');
    expect(claimsOf(tokens.body)).toMatchObject({ sub: 'alice', aud: 'a', nonce: params.nonce });
  });

  test('B: a second verifier of the same name is a link that is not valid', async () => {
    const [a] = clients as [TestClient];
    const [mine, other] = [await walk(instance, a), await walk(instance, a)];
    const cookies = new Map([...mine.cookies, ...other.cookies]);
    const url = withOthers(mine.loginUrl, { login_verifier: verifierIn(other.loginUrl) });
    expect(await pageOf(await browserWith(cookies).get(url))).toMatch(/^400 .*This link is not valid/s);
  });

  test('B: of two verifiers of different names the login app’s counts, wherever it stands', async () => {
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

describe('what login and consent apps say is input', () => {
  let instance: Instance;
  let client: TestClient;

  beforeAll(async () => {
    instance = await start();
    client = await registerClient(instance, 'app', { audience: ['https://api.test'] });
  });
  afterAll(() => instance.stop());

  const text = 'x'.repeat(70_000);
  const loginBodies: Readonly<Record<string, unknown>> = {
    'no subject': {},
    'an empty subject': { subject: '' },
    'a subject that is a number': { subject: 1 },
    'a subject that is null': { subject: null },
    'a subject that is a list': { subject: ['alice'] },
    'a subject with NUL': '{"subject":"al\\u0000ice"}',
    'a subject with a line break': { subject: 'alice\nbob' },
    'a subject with an escape character': { subject: 'alice\u001b[2J' },
    'a subject with a C1 control': { subject: 'alice\u0085' },
    'a subject with a lone surrogate': '{"subject":"\\ud800"}',
    'a subject of 1,025 characters': { subject: 'x'.repeat(1_025) },
    'remember that is text': { subject: 'alice', remember: 'true' },
    'remember_for that is text': { subject: 'alice', remember_for: '60' },
    'remember_for below zero': { subject: 'alice', remember_for: -1 },
    'remember_for with a fraction': { subject: 'alice', remember_for: 0.5 },
    'remember_for beyond all dates': { subject: 'alice', remember_for: 1e300 },
    'acr that is a list': { subject: 'alice', acr: ['1'] },
    'acr with a control character': { subject: 'alice', acr: '1\u0007' },
    'amr that is text': { subject: 'alice', amr: 'pwd' },
    'amr of numbers': { subject: 'alice', amr: [1] },
    'a context too large even to spill': { subject: 'alice', context: { text } },
    __proto__: '{"subject":"alice","__proto__":{"remember":true}}',
    'a member twice': '{"subject":"alice","subject":"bob"}',
    'a list': [],
    text: '"alice"',
    nothing: '',
    'no JSON': 'subject=alice',
    'depth without end': `${'{"context":'.repeat(200)}1${'}'.repeat(200)}`,
  };
  const consentBodies: Readonly<Record<string, unknown>> = {
    'grant_scope that is text': { grant_scope: 'openid' },
    'grant_scope of numbers': { grant_scope: [1] },
    'a scope with a control character': { grant_scope: ['openid\u0000'] },
    'a scope the client is not registered for': { grant_scope: ['openid', 'admin'] },
    'a scope with a space in it': { grant_scope: ['openid profile'] },
    'an audience the client is not registered for': { grant_access_token_audience: ['https://other.test'] },
    'session that is a list': { session: [] },
    'claims that are a list': { session: { id_token: [] } },
    'claims that are text': { session: { access_token: 'x' } },
    'claims with __proto__': '{"session":{"id_token":{"__proto__":{"sub":"eve"}}}}',
    'claims too large even to spill': { session: { id_token: { text } } },
    'remember_for below zero': { remember_for: -1 },
    'remember that is a number': { remember: 1 },
  };
  const rejectBodies: Readonly<Record<string, unknown>> = {
    'an error with a line break': { error: 'access_denied\r\nSet-Cookie: a=b' },
    'an error with a quote': { error: 'a"b' },
    'a description with a control character': { error_description: 'no\u0000' },
    'a description that is a number': { error_description: 1 },
  };

  const put = async (path: string, body: unknown): Promise<{ status: number; error: unknown; text: string }> => {
    const response = await fetch(`${instance.admin}/admin/oauth2/auth/requests/${path}`, {
      method: 'PUT',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = await response.text();
    return { status: response.status, error: (JSON.parse(answer) as Json).error, text: answer };
  };
  const expectRefusal = async (path: string, body: unknown): Promise<void> => {
    const { status, error, text: answer } = await put(path, body);
    expect([status, error]).toEqual([400, 'invalid_request']);
    expect(answer).not.toMatch(/alice|redirect_to/);
  };

  test.each(Object.entries({ ...loginBodies, ['__proto__']: '{"subject":"a","__proto__":{"remember":true}}' }))(
    'B: an accepted login with %s is refused',
    async (_name, body) => {
      const challenge = await begin(createBrowser(), authorizationUrl(instance, client));
      await expectRefusal(`login/accept?login_challenge=${challenge}`, body);
    },
  );

  test.each(Object.entries(consentBodies))('B: an accepted consent with %s is refused', async (_name, body) => {
    const { consentChallenge } = await walk(instance, client);
    await expectRefusal(`consent/accept?consent_challenge=${consentChallenge}`, body);
  });

  test.each(Object.entries(rejectBodies))('B: a rejection with %s is refused', async (_name, body) => {
    const { loginChallenge, consentChallenge } = await walk(instance, client);
    await expectRefusal(`login/reject?login_challenge=${loginChallenge}`, body);
    await expectRefusal(`consent/reject?consent_challenge=${consentChallenge}`, body);
  });

  test('B: claims that say who speaks to whom stay the provider’s', async () => {
    const idToken = { sub: 'eve', iss: 'https://evil.test', aud: 'other', exp: 9e9, nonce: 'n', sid: 's', role: 'reader' };
    const flow = await walk(instance, client, { consent: { session: { id_token: idToken } } });
    const claims = claimsOf((await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl))).body);
    expect(claims).toMatchObject({ sub: 'alice', iss: instance.issuer, aud: 'app', role: 'reader' });
    expect([claims.exp, claims.nonce, claims.sid]).not.toEqual([9e9, 'n', 's']);
  });

  test('B: what comes out of a seal is parsed too: with decisions that nobody here makes it ends nowhere', async () => {
    const { keys, seal } = sealerOf(instance.issuer);
    const now = Math.floor(Date.now() / 1000);
    const decisions: readonly object[] = [
      { login: { subject: 1, authTime: now, remember: true } },
      { login: { subject: '', authTime: now, remember: true } },
      { login: { subject: 'alice', authTime: now, remember: 'yes' } },
      { login: 'alice' },
      { session: { subject: 'alice' }, skipLogin: true },
    ];
    for (const decision of decisions) {
      const id = createFlowId(Date.now());
      const params = { client_id: 'app', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
      const sealed = seal('login_verifier', encodeState({ id, expiresAt: now + 60, params, ...decision }));
      const browser = createBrowser(new Map([[`carnet_flow_${id}`, keys.mac('flow_cookie', id)]]));
      const page = await pageOf(await browser.get(`${instance.issuer}/oauth2/auth?login_verifier=${sealed}`));
      expect(page).toMatch(/^[45]\d\d /);
      expect(page).not.toContain('alice');
    }
  });
});
