import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowser, type FormBrowser, locationOf } from '../packages/provider/test/browser.ts';
import { authorizationUrl, codeVerifier, refresh, token } from '../packages/provider/test/login.ts';
import { type Example, startExample } from './example-program.ts';

export interface Mounted {
  readonly folder: URL;
  /** The path of the issuer, `''` for none. */
  readonly issuerPath: string;
  /** What the framework itself says where there is nothing. */
  readonly notFound: RegExp;
}

const client = { id: 'shop', secret: 'the-secret-of-the-shop' };
const redirectUri = 'http://127.0.0.1:9999/callback';

/** The hidden challenge of a form. */
const challengeIn = async (page: Response): Promise<string> =>
  /name="challenge" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';

/** The ports that a process listens on. */
const listeningPorts = (pid: number): readonly number[] => {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)));
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
      .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)),
  );
};

/** The tests of every example that mounts the provider beside the routes of an application. */
export const testMounted = ({ folder, issuerPath, notFound }: Mounted): void => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample(folder, issuerPath);
  });
  afterAll(() => example?.stop());

  const form = { email: 'demo@example.com', password: 'carnet-demo' };

  const begin = async (browser: FormBrowser): Promise<Response> => {
    const params = { redirect_uri: redirectUri, scope: 'openid email offline_access' };
    const response = await browser.get(authorizationUrl(example, client, params));
    return browser.get(locationOf(response).href);
  };

  const signIn = async (browser: FormBrowser, remember: 'on' | '' = ''): Promise<Response> => {
    const challenge = await challengeIn(await begin(browser));
    const accepted = await browser.post(`${example.origin}/login`, { challenge, ...form, remember });
    const toConsent = await browser.get(locationOf(accepted).href);
    return browser.get(locationOf(toConsent).href);
  };

  const decide = async (browser: FormBrowser, page: Response, decision: 'allow' | 'deny'): Promise<URL> => {
    const decided = await browser.post(`${example.origin}/consent`, { challenge: await challengeIn(page), decision });
    return locationOf(await browser.get(locationOf(decided).href));
  };

  test('the URL that the application prints leads to its login page', async () => {
    const url = example.output.find((line) => line.startsWith('Sign in: '))?.slice('Sign in: '.length);
    const response = await createBrowser().get(String(url));
    expect(locationOf(response).href).toMatch(`${example.origin}/login?login_challenge=`);
  });

  test.runIf(process.platform === 'linux')('the application listens on one port, without the admin API', async () => {
    expect(listeningPorts(example.pid)).toEqual([Number(new URL(example.origin).port)]);
  });

  test.each(['/nothing', '/health/alive', `${issuerPath}/nothing`, `${issuerPath}/oauth2/auth/x`, '/admin/clients'])(
    "%s is left to the application's own 404",
    async (path) => {
      const response = await fetch(example.origin + path);
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(notFound);
    },
  );

  test.each([
    `${issuerPath}/.well-known/openid-configuration`,
    `${issuerPath}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${issuerPath}`,
  ])('%s names addresses below the issuer that answer', async (path) => {
    const response = await fetch(example.origin + path);
    const metadata = (await response.json()) as Record<string, unknown>;
    expect(metadata.issuer).toBe(example.issuer);
    const urls = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));
    expect(urls.length).toBeGreaterThanOrEqual(6);
    for (const [name, url] of urls) {
      expect(String(url).startsWith(`${example.issuer}/`)).toBe(true);
      const method = /^(?:token|revocation)_/.test(name) ? 'POST' : 'GET';
      const { status } = await fetch(String(url), { method, redirect: 'manual' });
      expect(`${name}: ${status}`).not.toBe(`${name}: 404`);
    }
  });

  test('a user signs in and consents by the forms, and the client redeems the code and a refresh token', async () => {
    const browser = createBrowser();
    const url = await decide(browser, await signIn(browser), 'allow');
    expect(url.href.startsWith(redirectUri)).toBe(true);
    expect(url.searchParams.get('iss')).toBe(example.issuer);
    const code = url.searchParams.get('code') ?? '';
    const params = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const tokens = await token(example, client, params);
    expect(tokens.status).toBe(200);
    const renewed = await refresh(example, client, tokens.body.refresh_token);
    expect(renewed.status).toBe(200);
    const userinfo = await fetch(`${example.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${renewed.body.access_token}` },
    });
    expect(await userinfo.json()).toMatchObject({ sub: 'user-1', email: 'demo@example.com' });
  });

  test('a remembered user is asked neither to sign in nor to consent again', async () => {
    const browser = createBrowser();
    await decide(browser, await signIn(browser, 'on'), 'allow');
    let page = await begin(browser);
    for (let hops = 0; page.headers.has('location') && hops < 6; hops++) {
      const next = locationOf(page).href;
      if (next.startsWith(redirectUri)) break;
      page = await browser.get(next);
    }
    expect(locationOf(page).searchParams.get('code')).toMatch(/./);
  });

  test('a user who denies consent returns to the client with access_denied', async () => {
    const browser = createBrowser();
    const url = await decide(browser, await signIn(browser), 'deny');
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  test.each([
    ['wrong password', { ...form, password: 'carnet-demO' }],
    ['unknown email address', { ...form, email: '"><script>alert(1)</script>' }],
  ])('the login page refuses a %s, and inserts no HTML of the user', async (_what, sent) => {
    const browser = createBrowser();
    const challenge = await challengeIn(await begin(browser));
    const page = await browser.post(`${example.origin}/login`, { challenge, ...sent });
    expect(page.status).toBe(401);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await page.text();
    expect(text).toContain('is wrong.');
    expect(text).toContain('Bread &#38; Butter');
    expect(text).not.toContain('<script');
  });

  test('a form that another site submits with its own challenge signs nobody in', async () => {
    const challenge = await challengeIn(await begin(createBrowser()));
    const victim = createBrowser();
    const accepted = await victim.post(`${example.origin}/login`, { challenge, ...form });
    const response = await victim.get(locationOf(accepted).href);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('a page without a valid challenge is an error page', async () => {
    for (const path of ['/login', '/consent?consent_challenge=guess']) {
      const response = await fetch(example.origin + path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('not valid');
    }
  });

  test('a form that names a parameter twice is refused, parsed by the host or not', async () => {
    const response = await fetch(`${example.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams([
        ['grant_type', 'refresh_token'],
        ['grant_type', 'client_credentials'],
      ]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });
};
