import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createFlowId } from '../../src/flow/flow-id.ts';
import { encodeState } from '../../src/flow/state-codec.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { call, refusal } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { authorizationUrl, begin, redeem } from '../login.ts';
import { codeAt, pageOf, sealerOf, walk } from '../walk.ts';

/** Section B: subject, scopes and claims are input, sealed or not. */
describe('what login and consent apps say is input', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app', { audience: ['https://api.test'] });

  const text = 'x'.repeat(70_000);
  const loginBodies: Readonly<Record<string, unknown>> = {
    'no subject': {},
    'an empty subject': { subject: '' },
    'a subject of a blank': { subject: ' ' },
    'a subject of nothing but blanks': { subject: '\u00a0\u2003 ' },
    'a subject that is a number': { subject: 1 },
    'a subject that is null': { subject: null },
    'a subject that is a list': { subject: ['alice'] },
    'a subject with NUL': '{"subject":"al\\u0000ice"}',
    'a subject with a line break': { subject: 'alice\nbob' },
    'a subject with an escape character': { subject: 'alice\u001b[2J' },
    'a subject with a C1 control': { subject: 'alice\u0085' },
    'a subject with a lone surrogate': '{"subject":"\\ud800"}',
    'a subject of 1,025 characters': { subject: 'x'.repeat(1_025) },
    'a subject of 1,026 bytes': { subject: '名'.repeat(342) },
    'a subject with a space at its end': { subject: 'alice ' },
    'a subject with a no-break space at its end': { subject: 'alice\u00a0' },
    'a subject with a space at its beginning': { subject: ' alice' },
    'a forced subject with a space at its end': { subject: 'alice', force_subject_identifier: 'forced ' },
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
    ['__proto__']: '{"subject":"alice","__proto__":{"remember":true}}',
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
    'a claim constructor of the ID token': { session: { id_token: { constructor: 'x' } } },
    'a claim constructor of the access token': { session: { access_token: { constructor: 'x' } } },
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

  const expectRefusal = async (path: string, body: unknown): Promise<void> => {
    const answer = await call(`${instance.admin}/admin/oauth2/auth/requests/${path}`, {
      method: 'PUT',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(answer).toMatchObject(refusal('invalid_request'));
    expect(JSON.stringify(answer.body)).not.toMatch(/alice|redirect_to/);
  };

  test.each(Object.entries(loginBodies))('an accepted login with %s is refused', async (_name, body) => {
    const challenge = await begin(createBrowser(), authorizationUrl(instance, client));
    await expectRefusal(`login/accept?login_challenge=${challenge}`, body);
  });

  test.each(Object.entries(consentBodies))('an accepted consent with %s is refused', async (_name, body) => {
    const { consentChallenge } = await walk(instance, client);
    await expectRefusal(`consent/accept?consent_challenge=${consentChallenge}`, body);
  });

  test.each(Object.entries(rejectBodies))('a rejection with %s is refused', async (_name, body) => {
    const { loginChallenge, consentChallenge } = await walk(instance, client);
    await expectRefusal(`login/reject?login_challenge=${loginChallenge}`, body);
    await expectRefusal(`consent/reject?consent_challenge=${consentChallenge}`, body);
  });

  test('claims that say who speaks to whom stay the provider’s', async () => {
    const parties = { sub: 'eve', iss: 'https://evil.test', aud: 'other', sid: 's', azp: 'z' };
    const theirs = { ...parties, exp: 9e9, nbf: 1, nonce: 'n' };
    const session = { id_token: { ...theirs, role: 'reader' } };
    // Without a nonce of its own, so that theirs would be the only one.
    const flow = await walk(instance, client, { params: { nonce: '' }, consent: { session } });
    const { body } = await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl));
    const claims = decodeJwt(String(body.id_token));
    expect(claims).toMatchObject({ sub: 'alice', iss: instance.issuer, aud: 'app', role: 'reader' });
    expect(Object.entries(theirs).filter(([name, value]) => claims[name] === value)).toEqual([]);
  });

  test('what comes out of a seal is parsed too: with decisions that nobody here makes it ends nowhere', async () => {
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
