import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, createBrowser } from '../browser.ts';
import type { Instance } from '../harness.ts';
import type { Json } from '../login.ts';
import { type LogoutReceiver, startLogoutReceiver } from '../logout-receiver.ts';
import { acceptLogout, logoutUrl } from '../sign-out.ts';
import { type Client, createClient, webClient } from './clients.ts';
import { follow, signIn, visit } from './journey.ts';
import { startLikeHydra, strategies } from './start.ts';

const remembered = { login: { remember: true }, consent: { scope: ['openid'], remember: true } };

describe.each(strategies)('logout as Hydra has it, %s access tokens', (access_token_strategy) => {
  let instance: Instance;
  let receiver: LogoutReceiver;
  beforeAll(async () => {
    [instance, receiver] = [await startLikeHydra(), await startLogoutReceiver()];
  });
  afterAll(async () => {
    await instance.stop();
    await receiver.close();
  });

  const signedIn = async (metadata: Json = {}) => {
    const browser = createBrowser();
    const client = await createClient(instance, webClient({ scope: 'openid', access_token_strategy, ...metadata }));
    const tokens = await signIn(instance, client, { browser, ...remembered });
    return { browser, client, idToken: String(tokens.id_token), claims: decodeJwt(String(tokens.id_token)) };
  };
  /** The logout page, and the user's yes to it. */
  const signOut = async (browser: Browser, params: Record<string, string>) => {
    const asked = await browser.get(logoutUrl(instance, params));
    expect(asked.headers.get('location')).toMatch(/^http:\/\/login\.test\/logout\?logout_challenge=/);
    return follow(instance, browser, await acceptLogout(instance, asked));
  };
  const asksForLogin = async (browser: Browser, client: Client) =>
    (await visit(instance, client, { browser })).page === 'login';

  test('without id_token_hint asks, logs out, and the next login is asked for again', async () => {
    const { browser, client } = await signedIn({ backchannel_logout_uri: receiver.url });
    expect(await asksForLogin(browser, client)).toBe(false);
    expect((await signOut(browser, {})).page).toBe('logged-out');
    expect(await asksForLogin(browser, client)).toBe(true);
  });

  test('notifies a client over the back channel after a logout with id_token_hint and state', async () => {
    receiver.forget();
    const { browser, idToken, claims, client } = await signedIn({ backchannel_logout_uri: receiver.url });
    const { page } = await signOut(browser, { id_token_hint: idToken, state: 'a-state-of-the-client' });
    expect(page).toBe('logged-out');
    while (!receiver.sids().includes(claims.sid)) await receiver.until(receiver.received.length + 1);
    const [{ token = '' } = {}] = receiver.received.filter(({ token }) => decodeJwt(token).sid === claims.sid);
    expect(decodeJwt(token)).toMatchObject({ iss: instance.issuer, aud: client.client_id, sid: claims.sid });
    expect(await asksForLogin(browser, client)).toBe(true);
  });

  test('loads the page of a client over the front channel, with issuer and session', async () => {
    const frontchannel_logout_uri = 'http://127.0.0.1:5555/openid/session/end/fc';
    const { browser, idToken, claims, client } = await signedIn({ frontchannel_logout_uri });
    const { page, response } = await signOut(browser, { id_token_hint: idToken, state: 'a-state-of-the-client' });
    const html = await response.text();
    const src = /<iframe[^>]* src="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { searchParams } = new URL(src);
    expect([page, searchParams.get('iss'), searchParams.get('sid')]).toEqual(['provider', instance.issuer, claims.sid]);
    expect(html).toContain('http://login.test/logged-out');
    expect(await asksForLogin(browser, client)).toBe(true);
  });

  test('of a session that has ended goes straight to the page after logout', async () => {
    const { browser, idToken } = await signedIn();
    await signOut(browser, { id_token_hint: idToken });
    const { page } = await follow(instance, browser, logoutUrl(instance, { id_token_hint: idToken }));
    expect(page).toBe('logged-out');
  });
});
