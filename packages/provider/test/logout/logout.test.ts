import { type JWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { consentPage, loginPage, testKeys } from '../harness.ts';
import { askLogin, headless, login } from '../login.ts';
import { acceptLogout, logoutPage, logoutUrl } from '../sign-out.ts';

const afterLogout = 'https://app.test/goodbye';

describe('logout', () => {
  const instance = startBeforeTests({
    config: {
      urls: { login: loginPage, consent: consentPage, logout: logoutPage, error: 'http://login.test/error' },
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

  test('asked for with an ID token, it ends the session and returns to the client with its state', async () => {
    const { browser, tokens } = await loggedIn();
    expect(await skips(browser)).toBe(true);
    const asked = await browser.get(
      endpoint({ id_token_hint: String(tokens.id_token), post_logout_redirect_uri: afterLogout, state: 'xyz' }),
    );
    const challenge = locationOf(asked).searchParams.get('logout_challenge') ?? '';
    expect(locationOf(asked).href.startsWith(`${logoutPage}?`)).toBe(true);
    const request = await headless(instance, 'GET', `logout?logout_challenge=${challenge}`);
    expect(request.body).toMatchObject({ subject: 'alice', rp_initiated: true, client: { client_id: client.id } });
    const done = await browser.get(await acceptLogout(instance, asked));
    expect(locationOf(done).href).toBe(`${afterLogout}?state=xyz`);
    expect(browser.cookies.has('carnet_session')).toBe(false);
    expect(await skips(browser)).toBe(false);
  });

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

  test('a logout link from elsewhere logs nobody out', async () => {
    const { browser, tokens } = await loggedIn();
    const other = await loggedIn();
    const asked = await other.browser.get(endpoint({ id_token_hint: String(other.tokens.id_token) }));
    await browser.get(await acceptLogout(instance, asked));
    expect(await skips(browser)).toBe(true);
    expect(tokens.id_token).toBeTypeOf('string');
  });

  test('rejected, it changes nothing', async () => {
    const { browser, tokens } = await loggedIn();
    const asked = await browser.get(endpoint({ id_token_hint: String(tokens.id_token) }));
    const challenge = locationOf(asked).searchParams.get('logout_challenge') ?? '';
    expect((await headless(instance, 'PUT', `logout/reject?logout_challenge=${challenge}`)).status).toBe(204);
    expect(await skips(browser)).toBe(true);
  });

  test.each([
    ['an unregistered redirect', { client_id: 'with-logout', post_logout_redirect_uri: 'https://evil.test/' }],
    ['a redirect of nobody', { post_logout_redirect_uri: afterLogout }],
    ['an ID token of somebody else', { id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }],
  ])('%s is refused, and leads to the error page and nowhere else', async (_what, params) => {
    const { browser } = await loggedIn();
    const refused = await browser.get(endpoint(params as unknown as Record<string, string>));
    expect(locationOf(refused).href).toMatch(/^http:\/\/login\.test\/error\?error=invalid_request&/);
    expect(await skips(browser)).toBe(true);
  });

  test('with client_id alone it is accepted, as RP-Initiated Logout 1.0 says', async () => {
    const { browser } = await loggedIn();
    const asked = await browser.get(endpoint({ client_id: client.id, post_logout_redirect_uri: afterLogout }));
    expect(locationOf(asked).href.startsWith(`${logoutPage}?logout_challenge=`)).toBe(true);
  });

  test('without a session it goes straight on', async () => {
    const response = await createBrowser().get(
      endpoint({ client_id: client.id, post_logout_redirect_uri: afterLogout }),
    );
    expect(locationOf(response).href).toBe(afterLogout);
  });
});
