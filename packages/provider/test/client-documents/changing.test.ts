import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { userinfo } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { acceptLogin, authorizationUrl, begin, challengeIn, decideAll, headless, introspect, login } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { pathOf, useDocuments } from './documents.ts';

const { host, open, documented } = useDocuments();

describe('a document that changes while a flow is under way', () => {
  test('ends the flow without a redirect when it no longer has the redirect URI', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 1, cacheMax: 60 }, { now: () => nowMs });
    const id = documented();
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, { id }));
    const end = await decideAll(instance, browser, challenge);
    host().put(pathOf(id), { redirect_uris: ['https://evil.test/callback'], scope: 'openid offline_access profile' });
    nowMs += 120_000;
    const response = await browser.get(end);
    expect(response.headers.get('location') ?? '').not.toMatch(/app\.test|evil\.test/);
  });

  test('shows the consent app the client as it is now', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 1, cacheMax: 60 }, { now: () => nowMs });
    const id = documented();
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, { id }));
    const renamed = { client_name: 'Renamed', redirect_uris: [redirectUri], scope: 'openid offline_access profile' };
    host().put(pathOf(id), renamed);
    nowMs += 120_000;
    const toConsent = await acceptLogin(instance, challenge, { subject: 'alice' });
    const consent = challengeIn(await browser.get(toConsent), 'consent');
    const { body } = await headless(instance, 'GET', `consent?consent_challenge=${consent}`);
    expect(body.client).toMatchObject({ client_name: 'Renamed' });
  });
});

describe('a client whose document is not available', () => {
  test('stops no operation on other clients: consents are listed, and introspection distinguishes a deleted document from an unreachable host', async () => {
    const id = documented();
    const first = await open();
    const tokens = await login(first, { id });
    host().answer(pathOf(id), { status: 503 });
    const second = await open({}, { adapter: first.adapter });
    const list = await fetch(`${second.admin}/admin/oauth2/auth/sessions/consent?subject=alice`);
    const consents = (await list.json()) as { consent_request: { client: { client_id: string } } }[];
    expect([list.status, consents.map(({ consent_request: { client } }) => client.client_id)]).toEqual([200, [id]]);
    expect((await introspect(second, tokens.access_token)).error).toBe('temporarily_unavailable');
    expect((await userinfo(second, tokens.access_token)).status).toBe(503);
    host().answer(pathOf(id), { status: 404 });
    expect(await introspect(second, tokens.access_token)).toEqual({ active: false });
  });

  test('the client is notified of a logout once its document is available again', async () => {
    const receiver = await startLogoutReceiver();
    const id = documented({ backchannel_logout_uri: receiver.url });
    const { body } = host().read(pathOf(id));
    const first = await open();
    await login(first, { id }, { login: { remember: true } });
    host().answer(pathOf(id), { status: 503 });
    const logout = { backchannelRetries: [1, 1, 1, 1, 1], backchannelPollSeconds: 1 };
    const second = await open({}, { adapter: first.adapter, config: { logout } });
    const ended = await fetch(`${second.admin}/admin/oauth2/auth/sessions/login?subject=alice`, { method: 'DELETE' });
    expect(ended.status).toBe(204);
    while (!second.log().includes('client_document_unavailable')) await delay(20);
    expect(receiver.received).toEqual([]);
    host().answer(pathOf(id), { body });
    await receiver.until(1);
    await receiver.close();
  });
});
