import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, describe, expect, test } from 'vitest';
import { consentKey, consentReferenceKey } from '../../src/consents/remembered-consents.ts';
import { consentRequestIdOfGrant } from '../../src/flow/flow-id.ts';
import { registerBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { start } from '../harness.ts';
import { acceptConsent, headless, type Json, logIn, redeem } from '../login.ts';
import { browserWith, pageOf, walk } from '../walk.ts';

const [calendar, mail] = ['https://calendar.test', 'https://mail.test'];
const everything = { scope: 'openid offline_access profile', audience: calendar };

interface Visit {
  readonly browser: Browser;
  readonly client: TestClient;
  readonly subject?: string;
  readonly params?: Record<string, string>;
}

describe('a remembered consent', () => {
  const instance = beforeTests(() => start({ now: () => Date.now() + offsetMs }));
  const client = registerBeforeTests(instance, 'asking', { audience: [calendar, mail] });
  let offsetMs = 0;
  let people = 0;

  afterEach(() => {
    offsetMs = 0;
  });

  /** Through the login, to what the consent app is asked. */
  const asked = async ({ browser, client, subject = 'alice', params = {} }: Visit) => {
    const options = { browser, subject, params: { ...everything, ...params }, login: { remember: true } };
    const consent = await logIn(instance, client, options);
    const { body } = await headless(instance, 'GET', `consent?consent_challenge=${consent}`);
    return { consent, body };
  };
  const consent = async (visit: Visit, body: Json = {}): Promise<void> => {
    const { consent } = await asked(visit);
    const granted = { grant_scope: everything.scope.split(' '), grant_access_token_audience: [calendar] };
    await visit.browser.get(await acceptConsent(instance, consent, { ...granted, remember: true, ...body }));
  };
  const someone = (): Visit => ({ browser: createBrowser(), client, subject: `person ${++people}` });
  const skips = async (visit: Visit): Promise<unknown> => (await asked(visit)).body.skip;

  test('lets the consent app skip the same request', async () => {
    const visit = someone();
    expect(await skips(visit)).toBe(false);
    await consent(visit);
    expect(await skips(visit)).toBe(true);
  });

  test.each([
    ['less', { scope: 'openid' }, true],
    ['one more scope', { scope: 'openid offline_access profile email' }, false],
    ['another scope', { scope: 'openid email' }, false],
    ['another audience', { audience: mail }, false],
    ['one more audience', { audience: `${calendar} ${mail}` }, false],
  ])('for a request of %s: %o, skip %s', async (_what, params, expected) => {
    const visit = someone();
    await consent(visit);
    expect(await skips({ ...visit, params })).toBe(expected);
  });

  test('of less than was asked for does not cover the same request', async () => {
    const visit = someone();
    await consent(visit, { grant_scope: ['openid'] });
    expect(await skips(visit)).toBe(false);
    expect(await skips({ ...visit, params: { scope: 'openid' } })).toBe(true);
  });

  test('prompt=consent asks for consent again', async () => {
    const visit = someone();
    await consent(visit);
    expect(await skips({ ...visit, params: { prompt: 'consent' } })).toBe(false);
  });

  test('consent is remembered on request alone', async () => {
    const visit = someone();
    await consent(visit, { remember: false });
    expect(await skips(visit)).toBe(false);
  });

  test('a replayed verifier gives it once, and not again after a revocation', { tags: ['D5'] }, async () => {
    const { subject = '' } = someone();
    const decisions = { login: { remember: true }, consent: { remember: true } };
    const flow = await walk(instance, client, { subject, ...decisions });
    const replay = () => browserWith(flow.cookies).get(flow.consentUrl);
    const answers = await Promise.all(Array.from({ length: 10 }, replay));
    const [won, ...others] = answers.filter(({ status }) => status < 400);
    expect([locationOf(won as Response).searchParams.has('code'), others]).toEqual([true, []]);
    const isRemembered = async () =>
      (await instance.adapter.read([consentKey(subject, client.id)])).some((record) => record !== undefined);
    expect(await isRemembered()).toBe(true);
    await instance.carnet.consents.revoke({ subject, clientId: client.id });
    for (const answer of [...answers.filter((each) => each !== won), await replay()])
      expect(await pageOf(answer)).toMatch(/^400 .*This sign-in is already finished/s);
    expect(await isRemembered()).toBe(false);
    const code = locationOf(won as Response).searchParams.get('code') ?? '';
    expect((await redeem(instance, client, code)).status).toBe(200);
    expect(await isRemembered()).toBe(false);
  });

  test('the consent expires after remember_for', async () => {
    const visit = someone();
    offsetMs = -3_600_000;
    await consent(visit, { remember_for: 1_800 });
    offsetMs = 0;
    expect(await skips(visit)).toBe(false);
  });

  test('skipping the consent does not prolong it', async () => {
    const visit = someone();
    const expiry = async () =>
      (await instance.adapter.read([consentKey(String(visit.subject), client.id)]))[0]?.expiresAt;
    await consent(visit, { remember_for: 1_800 });
    const before = await expiry();
    expect(before).toBeInstanceOf(Date);
    await consent(visit, { remember_for: 7_200 });
    expect(await expiry()).toEqual(before);
  });

  test('a consent that replaces another replaces its reference, too', async () => {
    const visit = someone();
    const grantOf = async (): Promise<string> => {
      const [record] = await instance.adapter.read([consentKey(String(visit.subject), client.id)]);
      return JSON.parse(record?.payload ?? '{}').grantId;
    };
    await consent(visit);
    const first = await grantOf();
    await consent({ ...visit, params: { prompt: 'consent' } });
    const second = await grantOf();
    const references = await instance.adapter.read([first, second].map(consentReferenceKey));
    expect(references.map((record) => record?.kind)).toEqual([undefined, 'consent']);
    await instance.carnet.consents.revoke({ consentRequestId: consentRequestIdOfGrant(first) });
    expect(await skips(visit)).toBe(true);
    await instance.carnet.consents.revoke({ consentRequestId: consentRequestIdOfGrant(second) });
    expect(await skips(visit)).toBe(false);
  });

  test('a browser in which no consent was remembered reads none when one is', async () => {
    const visit = someone();
    const { consent: challenge } = await asked(visit);
    const back = await acceptConsent(instance, challenge, { remember: true });
    instance.calls.reset();
    await visit.browser.get(back);
    expect(instance.calls.reads).toEqual([]);
  });

  test('the consent applies to one user and one client', async () => {
    const visit = someone();
    await consent(visit);
    const other = await registerClient(instance, 'other', { audience: [calendar] });
    expect(await skips({ ...visit, client: other })).toBe(false);
    const stranger = { ...visit, browser: createBrowser(new Map(visit.browser.cookies)), subject: 'somebody else' };
    expect(await skips({ ...stranger, params: { prompt: 'login' } })).toBe(false);
  });

  test.each([
    ['https://app.test/callback', true],
    ['http://localhost/callback', true],
    ['http://127.0.0.1/callback', true],
    ['com.example.app:/callback', false],
    ['com.example.app://localhost/callback', false],
    ['http://app.test/callback', false],
  ])('of a public client that is sent to %s: skip %s', async (uri, expected) => {
    const open = await registerClient(instance, `public ${uri}`, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [uri],
      audience: [calendar],
    });
    const visit = { ...someone(), client: open, params: { redirect_uri: uri } };
    await consent(visit);
    expect(await skips(visit)).toBe(expected);
    // The same address is good enough for a client that proves who it is.
    const closed = await registerClient(instance, `closed ${uri}`, { redirect_uris: [uri], audience: [calendar] });
    await consent({ ...visit, client: closed });
    expect(await skips({ ...visit, client: closed })).toBe(true);
  });
});
