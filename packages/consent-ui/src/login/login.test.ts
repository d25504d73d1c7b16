import type { PasswordSignIn } from '@carnet/accounts/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { partOfServices, postForm } from '../../test/services.ts';
import type { Asked } from '../api/admin-api.ts';
import type { LoginRequest } from '../api/wire.ts';
import type { Services } from '../services.ts';
import { showLogin, submitLogin } from './login.tsx';

const url = 'http://127.0.0.1:3000/login?login_challenge=c1';
const asks: LoginRequest = {
  skip: false,
  subject: '',
  client: { client_id: 'shop', client_name: 'Shop & Co' },
  oidc_context: {},
};

let asked: Asked<LoginRequest>;
let decisions: unknown[];
let checked: string[];
let services: Services;
let accounts: Services['accounts'];
let settings: { identifierFirst?: boolean; signUp?: boolean };

beforeEach(() => {
  asked = { state: 'open', request: asks };
  decisions = [];
  checked = [];
  settings = {};
  const decide = async (challenge: string, body: unknown) => {
    decisions.push({ challenge, body });
    return { state: 'decided', redirectTo: 'http://127.0.0.1:4444/oauth2/auth?login_verifier=v' } as const;
  };
  const login = { find: async () => asked, accept: decide, reject: decide } satisfies Services['api']['login'];
  accounts = {
    settings: async () => settings,
    signIn: {
      password: async ({ login, password }: PasswordSignIn) => {
        checked.push(login);
        if (login === 'limited') return { state: 'limited', retryAfterSeconds: 90 };
        if (password !== 'secret') return { state: 'refused' };
        const user = { subject: 'u1', name: login };
        return { state: 'done', user, subject: 'u1', acr: 'urn:carnet:1fa', amr: ['pwd'], authTime: 1, claims: {} };
      },
    },
    providers: { list: async () => ({ providers: [] }) },
    account: { show: async ({ subject }: { subject: string }) => ({ user: { subject }, claims: {} }) },
  } as unknown as Services['accounts'];
  services = partOfServices({ api: { login } as unknown as Services['api'], accounts });
});

const post = (fields: Record<string, string>) =>
  postForm(services, submitLogin, url, Object.entries({ decision: 'accept', ...fields }));

describe('the login page', () => {
  it('the page has a form that posts to its own address and names the application', async () => {
    const response = await showLogin(services, new Request(url));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toContain('carnet_form_');
    expect(html).toContain('action="/login?login_challenge=c1"');
    expect(html).toContain('Shop &amp; Co');
    for (const id of ['email', 'password', 'remember', 'accept', 'reject']) expect(html).toContain(`id="${id}"`);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('fills in the hint of the client, as text', async () => {
    asked = { state: 'open', request: { ...asks, oidc_context: { login_hint: 'ann"><script>@example.com' } } };
    const html = await (await showLogin(services, new Request(url))).text();
    expect(html).toContain('value="ann&quot;&gt;&lt;script&gt;@example.com"');
  });

  it('goes straight on for somebody the provider knows', async () => {
    asked = { state: 'open', request: { ...asks, skip: true, subject: 'u7' } };
    const response = await showLogin(services, new Request(url));
    expect(response.status).toBe(303);
    expect(decisions).toEqual([{ challenge: 'c1', body: { subject: 'u7', remember: true, remember_for: 60 } }]);
  });

  it('offers to start again when the challenge is over', async () => {
    asked = { state: 'expired', restartAt: 'http://127.0.0.1:4444/oauth2/auth?client_id=shop' };
    for (const response of [
      await showLogin(services, new Request(url)),
      await post({ email: 'ann', password: 'secret' }),
      // By then the cookie of the form is gone too.
      await submitLogin(services, new Request(url, { method: 'POST', body: new URLSearchParams() })),
    ]) {
      expect(response.status).toBe(410);
      expect(await response.text()).toContain(
        'id="start-again" href="http://127.0.0.1:4444/oauth2/auth?client_id=shop"',
      );
    }
    expect(checked).toEqual([]);
  });

  it.each([
    'http://ui/login',
    'http://ui/login?login_challenge=',
    `http://ui/login?login_challenge=${'a'.repeat(9000)}`,
  ])('the page requires a challenge', async (address) => {
    await expect(showLogin(services, new Request(address))).rejects.toMatchObject({
      code: 'missing_challenge',
      status: 400,
    });
  });
});

describe('a login', () => {
  it('the right password redirects by 303, so that the browser does not post the password again', async () => {
    const response = await post({ email: ' ann ', password: 'secret', remember: '1' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('http://127.0.0.1:4444/oauth2/auth?login_verifier=v');
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(decisions).toEqual([
      {
        challenge: 'c1',
        body: { subject: 'u1', remember: true, remember_for: 60, acr: 'urn:carnet:1fa', amr: ['pwd'] },
      },
    ]);
  });

  it('a login is remembered only if the user asks for it', async () => {
    await post({ email: 'ann', password: 'secret' });
    expect(decisions).toMatchObject([{ body: { remember: false } }]);
  });

  it('a wrong password shows the form again, with the email and without the password', async () => {
    const response = await post({ email: 'ann@example.com', password: 'wr0ng-pass', remember: '1' });
    const html = await response.text();
    expect(response.status).toBe(401);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="ann@example.com"');
    expect(html).toMatch(/id="remember"[^>]*checked/);
    expect(html).not.toContain('wr0ng-pass');
    expect(decisions).toEqual([]);
  });

  it('the page of a sign-in that Carnet limits names the minutes to wait', async () => {
    const response = await post({ email: 'limited', password: 'secret' });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('90');
    expect(await response.text()).toContain('2 minutes');
  });

  it('can be declined', async () => {
    expect((await post({ email: '', password: '', decision: 'reject' })).status).toBe(303);
    expect(decisions).toMatchObject([{ challenge: 'c1', body: { error: 'access_denied' } }]);
    expect(checked).toEqual([]);
  });

  it.each([
    { email: '', password: 'secret' },
    { email: 'ann', password: '' },
    { email: 'ann', password: 'secret\0more' },
    { email: 'ann\n', password: 'secret' },
    { email: 'a'.repeat(321), password: 'secret' },
    { email: 'ann', password: 'a'.repeat(1025) },
  ])('a request that no form could have sent is refused', async (fields) => {
    await expect(post(fields)).rejects.toMatchObject({ code: 'invalid_form' });
    expect(checked).toEqual([]);
  });

  it('a request without the form token is refused before its password is read', async () => {
    const body = new URLSearchParams({ email: 'ann', password: 'secret', decision: 'accept' });
    await expect(submitLogin(services, new Request(url, { method: 'POST', body }))).rejects.toMatchObject({
      code: 'forged_form',
    });
    expect([checked, decisions]).toEqual([[], []]);
  });
});

describe('the accounts of a browser', () => {
  const setCookieOf = (response: Response, name: string) =>
    response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(name))
      ?.split(';')[0] ?? '';

  const signedIn = async () =>
    setCookieOf(await post({ email: 'ann@example.com', password: 'secret', remember: '1' }), 'carnet_accounts');

  const get = async (cookie: string, address = url) => {
    const response = await showLogin(services, new Request(address, { headers: { cookie } }));
    return response.text();
  };

  const click = (cookie: string, fields: Record<string, string>) =>
    postForm(services, submitLogin, url, Object.entries(fields), cookie);

  it('are offered after a sign-in that is remembered, and after no other', async () => {
    expect(await get(await signedIn())).toMatch(/value="0" name="account"[\s\S]*ann@example.com/);
    const forgotten = await post({ email: 'bob', password: 'secret' });
    expect(setCookieOf(forgotten, 'carnet_accounts')).toBe('');
    const wrong = await post({ email: 'bob', password: 'wrong', remember: '1' });
    expect(setCookieOf(wrong, 'carnet_accounts')).toBe('');
  });

  it('ask for the password only, and for the name of another account', async () => {
    const cookie = await signedIn();
    const html = await (await click(cookie, { account: '0' })).text();
    expect(html).toMatch(/<input id="email"[^>]*value="ann@example.com"[^>]*hidden|hidden[^>]*value="ann@example.com"/);
    expect(html).toContain('href="/login?login_challenge=c1&amp;account=other"');
    const other = await get(cookie, `${url}&account=other`);
    expect(other).toMatch(/<label for="email">/);
    expect(other).not.toContain('ann@example.com');
  });

  it('keep the account after a wrong password', async () => {
    const html = await (await post({ email: 'ann', password: 'wrong', known: '1' })).text();
    expect(html).toContain('id="another"');
    expect(html).toContain('id="message"');
  });

  it('can be removed', async () => {
    const response = await click(await signedIn(), { forget: '0' });
    expect(response.headers.getSetCookie().join()).toMatch(/carnet_accounts=; [^,]*Max-Age=0/);
    expect(await response.text()).not.toContain('ann@example.com');
  });

  it.each(['1', '-1', 'x', ''])('show the page again for the choice %j', async (account) => {
    expect(await (await click(await signedIn(), { account })).text()).toContain('Choose an account');
  });

  it('give way to the account that the client suggests', async () => {
    asked = { state: 'open', request: { ...asks, oidc_context: { login_hint: 'bob@example.com' } } };
    const cookie = await signedIn();
    expect(await get(cookie)).toContain('value="bob@example.com"');
    expect(await get(cookie, `${url}&account=other`)).not.toContain('bob@example.com');
  });
});

describe('with the accounts API', () => {
  it('asks for the login name first, if a realm decides what follows', async () => {
    settings = { identifierFirst: true };
    const html = await (await showLogin(services, new Request(url))).text();
    expect(html).toContain('id="next"');
    expect(html).not.toContain('type="password"');
    const next = await (await post({ decision: 'name', email: ' ann@example.com ' })).text();
    expect(next).toContain('type="password"');
    expect(next).toContain('value="ann@example.com"');
    await expect(post({ decision: 'name', email: 'a\0' })).rejects.toMatchObject({ code: 'invalid_form' });
  });

  it('leads to the sign-up that the client asks for, if there is one', async () => {
    const request_url = 'http://127.0.0.1:4444/oauth2/auth?client_id=shop&prompt=create';
    asked = { state: 'open', request: { ...asks, request_url } };
    settings = { signUp: true };
    const response = await showLogin(services, new Request(url));
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-up?login_challenge=c1']);
    expect((await showLogin(services, new Request(`${url}&account=other`))).status).toBe(200);
    settings = { signUp: false };
    expect((await showLogin(services, new Request(url))).status).toBe(200);
  });
});
