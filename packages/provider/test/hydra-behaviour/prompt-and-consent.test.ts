import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { introspect, type Json } from '../login.ts';
import { admin, type Client, createClient, webClient } from './clients.ts';
import { signIn, user, visit } from './journey.ts';
import { startLikeHydra, strategies } from './start.ts';

const remembered = { login: { remember: true }, consent: { scope: ['openid'], remember: true } };

describe.each(strategies)('prompt and consent as Hydra has them, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() => startLikeHydra());
  let client: Client;
  beforeAll(async () => {
    client = await createClient(instance, webClient({ scope: 'openid', access_token_strategy }));
  });

  const rememberedBrowser = async () => {
    const browser = createBrowser();
    await signIn(instance, client, { browser, ...remembered });
    return browser;
  };

  test('prompt=none fails where there is no session: login_required', async () => {
    const { page, query } = await visit(instance, client, { params: { prompt: 'none' } });
    expect([page, query.error]).toEqual(['client', 'login_required']);
  });

  test('prompt=none passes where login and consent were remembered', async () => {
    const browser = await rememberedBrowser();
    const tokens = await signIn(instance, client, { browser, login: undefined, params: { prompt: 'none' } });
    expect(tokens).toMatchObject({ access_token: expect.any(String) });
  });

  test('remembered login and consent show no page', async () => {
    const browser = await rememberedBrowser();
    const { page, query } = await visit(instance, client, { browser });
    expect([page, typeof query.code]).toEqual(['client', 'string']);
  });

  test('prompt=login asks for the login in spite of the session', async () => {
    const browser = await rememberedBrowser();
    expect((await visit(instance, client, { browser, params: { prompt: 'login' } })).page).toBe('login');
  });

  test('prompt=consent asks for the consent in spite of the remembered one', async () => {
    const browser = await rememberedBrowser();
    expect((await visit(instance, client, { browser, params: { prompt: 'consent' } })).page).toBe('consent');
  });

  test('a remembered login survives a denied consent', async () => {
    const browser = createBrowser();
    const denied = await createClient(instance, webClient({ scope: 'openid', access_token_strategy }));
    const { query } = await visit(instance, denied, {
      browser,
      login: { remember: true },
      consent: { accept: false },
    });
    expect(query.error).toBe('access_denied');
    expect((await visit(instance, denied, { browser })).page).toBe('consent');
  });

  test('consents are listed, revoked together, and their tokens with them', async () => {
    const offline = await createClient(instance, webClient({ scope: 'offline_access', access_token_strategy }));
    const tokens = await signIn(instance, offline, { consent: { scope: ['offline_access'], remember: true } });
    const path = `/oauth2/auth/sessions/consent?subject=${user}`;
    const { body } = await admin(instance, 'GET', path);
    const clients = body.map(({ consent_request }: Json) => ((consent_request as Json).client as Json).client_id);
    expect(clients).toContain(offline.client_id);
    for (const { handled_at } of body) expect(handled_at).toMatch(/^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect((await admin(instance, 'DELETE', `${path}&all=true`)).status).toBe(204);
    expect((await admin(instance, 'GET', path)).body).toEqual([]);
    for (const value of [tokens.access_token, tokens.refresh_token])
      expect(await introspect(instance, value)).toEqual({ active: false });
  });
});
