import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, locationOf } from '../browser.ts';
import { type Answer, adminClients, postForm, refusal } from '../call.ts';
import { basicOf } from '../clients.ts';
import { acceptConsent, askLogin, challengeIn, codeIn, type Decisions, introspect, type Json } from '../login.ts';
import { signOut } from '../sign-out.ts';
import { clients } from '../threat-target.ts';
import { codeAt, walk } from '../walk.ts';
import { type ProviderProcess, startProvider } from './provider-process.ts';
import { openTestStore, startServers, type TestStore, testStores } from './test-stores.ts';
import { newCode, newTokens, redemption, refreshing, registerClients } from './token-requests.ts';

const { app } = clients;

/** A login that went all the way, to be played again. */
const play = async (at: ProviderProcess, decisions: Decisions = {}) => {
  const flow = await walk(at, app, { browser: at.browser(), ...decisions });
  return { ...flow, code: await codeAt(flow.browser, flow.consentUrl) };
};

const revoke = ({ issuer }: ProviderProcess, token: unknown) =>
  postForm(`${issuer}/oauth2/revoke`, { token: String(token) }, basicOf(app));

/** Everything a provider does, before it is killed. */
const live = async (at: ProviderProcess) => {
  const used = redemption(await newCode(at));
  const usedTokens = (await used(at)).body;
  const rotated = await newTokens(at);
  const successor = (await refreshing(rotated)(at)).body;
  const latest = (await refreshing(successor)(at)).body;
  const revoked = await newTokens(at);
  expect((await revoke(at, revoked.access_token)).status).toBe(200);
  const remember = { remember: true };
  const loggedOut = await play(at, { login: remember });
  const sessionCookies = new Map(loggedOut.browser.cookies);
  await signOut(at, loggedOut.browser);
  const flows = {
    remembered: await play(at, { login: remember }),
    forgotten: await play(at),
    consented: await play(at, { consent: remember }),
  };
  for (const { code } of Object.values(flows)) expect((await redemption(code)(at)).status).toBe(200);
  const tokens = await newTokens(at);
  return { used, usedTokens, rotated, latest, revoked, sessionCookies, ...flows, tokens };
};

beforeAll(startServers);

describe.each(Object.entries(testStores))('after everything was killed and started again, on %s', (_name, start) => {
  let provider: ProviderProcess;
  let before: Awaited<ReturnType<typeof live>>;

  beforeAll(async () => {
    const store: TestStore = await start();
    const former = await startProvider(store);
    const adapter = await openTestStore(store);
    await registerClients(adapter, former);
    await adapter.close();
    before = await live(former);
    await former.kill();
    await store.restart();
    provider = await startProvider(store);
  });
  afterAll(() => provider?.kill());

  const isActive = async ({ access_token }: Json) => (await introspect(provider, access_token)).active;

  const expectRefused = async (answer: Promise<Answer>) => expect(await answer).toMatchObject(refusal('invalid_grant'));
  const loginRequest = (browser: Browser) => askLogin(provider, app, { browser });

  test('a code that was used gives nothing, and takes its tokens back', async () => {
    expect(await isActive(before.usedTokens)).toBe(true);
    await expectRefused(before.used(provider));
    expect(await isActive(before.usedTokens)).toBe(false);
  });

  test('a refresh token whose successor was used gives nothing, and takes all of them back', async () => {
    expect(await isActive(before.latest)).toBe(true);
    await expectRefused(refreshing(before.rotated)(provider));
    expect(await isActive(before.latest)).toBe(false);
  });

  test('revoked tokens are not good for anything', async () => {
    expect(await isActive(before.revoked)).toBe(false);
    await expectRefused(refreshing(before.revoked)(provider));
  });

  test('the verifiers of a flow whose consent was remembered give no code', async () => {
    const { cookies, consentUrl, loginUrl } = before.consented;
    expect((await provider.browser(cookies).get(consentUrl)).status).toBe(400);
    const browser = provider.browser(cookies);
    const consent = challengeIn(await browser.get(loginUrl), 'consent');
    expect((await browser.get(await acceptConsent(provider, consent, { remember: true }))).status).toBe(400);
  });

  test.each(['remembered', 'forgotten'] as const)('the verifiers of a login give no tokens (%s)', async (which) => {
    const { cookies, consentUrl, loginUrl } = before[which];
    const browser = provider.browser(cookies);
    const end = await acceptConsent(provider, challengeIn(await browser.get(loginUrl), 'consent'));
    for (const url of [consentUrl, end]) {
      const code = codeIn(locationOf(await provider.browser(cookies).get(url)));
      await expectRefused(redemption(code)(provider));
    }
  });

  test('a session that was logged out does not let a login be skipped, and one that was not does', async () => {
    expect(await loginRequest(provider.browser(before.sessionCookies))).toMatchObject({ skip: false });
    const browser = provider.browser(before.remembered.browser.cookies);
    expect(await loginRequest(browser)).toMatchObject({ skip: true, subject: 'alice' });
  });

  test('tokens that were good still are, and the client is there', async () => {
    expect(await isActive(before.tokens)).toBe(true);
    expect((await refreshing(before.tokens)(provider)).status).toBe(200);
    expect((await adminClients(provider, 'GET', `/${app.id}`)).body).toMatchObject({ client_id: app.id });
  });
});
