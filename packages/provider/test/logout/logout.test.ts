import { type JWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { consentPage, loginPage, testKeys } from '../harness.ts';
import { askLogin, login } from '../login.ts';
import { acceptLogout, logoutPage, logoutUrl, signOut } from '../sign-out.ts';

const afterLogout = 'https://app.test/goodbye';
const loggedOut = 'http://login.test/logged-out';
const errorPage = 'http://login.test/error';

describe('logout', () => {
  const instance = startBeforeTests({
    config: {
      urls: {
        login: loginPage,
        consent: consentPage,
        logout: logoutPage,
        postLogoutRedirect: loggedOut,
        error: errorPage,
      },
    },
  });
  const client = registerBeforeTests(instance, 'with-logout', { post_logout_redirect_uris: [afterLogout] });

  const loggedIn = async () => {
    const browser = createBrowser();
    const tokens = await login(instance, client, { browser, login: { remember: true, remember_for: 3600 } });
    return { browser, tokens };
  };
  const endpoint = (params: Record<string, string>) => logoutUrl(instance, params);
  const skips = async (browser: Browser) => (await askLogin(instance, client, { browser })).skip;

  test('what is wrong with a request is said without the words of a link', async () => {
    const words = 'Call 0900 to unlock your account';
    const refused = await createBrowser().get(`${endpoint({ [words]: '1' })}&${new URLSearchParams({ [words]: '2' })}`);
    expect(locationOf(refused).searchParams.get('error_description')).toBe('a parameter is given more than once.');
    const long = await createBrowser().get(endpoint({ [words]: 'x'.repeat(5_000) }));
    expect([long.status, await long.text()]).toEqual([400, expect.stringContaining('a parameter is too long')]);
    const known = await createBrowser().get(endpoint({ id_token_hint: 'x'.repeat(5_000) }));
    expect(await known.text()).toContain('id_token_hint is too long');
  });

  test('accepts the ID token of a session from before a move from Hydra, whose aud is a list of one', async () => {
    const key = testKeys.keys.find(({ alg }) => alg === 'RS256');
    const idToken = (aud: readonly string[]) =>
      new SignJWT({ aud: [...aud], iss: instance.issuer, sub: 'alice', jti: 'one of Hydra', rat: 1 })
        .setProtectedHeader({ alg: 'RS256', kid: key?.kid })
        .sign(key as JWK);
    const ask = async (aud: readonly string[]) => {
      const params = { id_token_hint: await idToken(aud), post_logout_redirect_uri: afterLogout };
      return locationOf(await createBrowser().get(endpoint(params))).href;
    };
    expect(await ask([client.id])).not.toContain('error');
    expect(await ask([client.id, 'another'])).toContain('error');
  });

  test('the old session cookie is worth nothing after it', async () => {
    const { browser, tokens } = await loggedIn();
    const kept = createBrowser(new Map(browser.cookies));
    const asked = await browser.get(endpoint({ id_token_hint: String(tokens.id_token) }));
    await browser.get(await acceptLogout(instance, asked));
    expect(await skips(kept)).toBe(false);
  });

  test('without an address of the client it leads to urls.postLogoutRedirect, also once the session has ended', async () => {
    const { browser, tokens } = await loggedIn();
    expect(locationOf(await signOut(instance, browser)).href).toBe(loggedOut);
    expect(await skips(browser)).toBe(false);
    const again = await browser.get(endpoint({ id_token_hint: String(tokens.id_token) }));
    expect(locationOf(again).href).toBe(loggedOut);
  });

  test('without a session it goes straight on', async () => {
    const response = await createBrowser().get(
      endpoint({ client_id: client.id, post_logout_redirect_uri: afterLogout }),
    );
    expect(locationOf(response).href).toBe(afterLogout);
  });
});
