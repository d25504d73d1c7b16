import { beforeEach, describe, expect, it } from 'vitest';
import type { Asked } from '../api/admin-api.ts';
import type { LoginRequest } from '../api/wire.ts';
import { createLoginAttempts } from '../attempts/login-attempts.ts';
import { createSealedCookies } from '../cookies/sealed-cookie.ts';
import { createFormTokens, formTokenField } from '../csrf/form-token.ts';
import type { UserDirectory } from '../directory/user-directory.ts';
import { defaultUi } from '../page/ui.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { createDirectoryUsers } from '../users/directory-users.ts';
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

beforeEach(() => {
  asked = { state: 'open', request: asks };
  decisions = [];
  checked = [];
  const decide = async (challenge: string, body: unknown) => {
    decisions.push({ challenge, body });
    return { state: 'decided', redirectTo: 'http://127.0.0.1:4444/oauth2/auth?login_verifier=v' } as const;
  };
  const login = { find: async () => asked, accept: decide, reject: decide } satisfies Services['api']['login'];
  const directory = {
    authenticate: async (userName: string, password: string) => {
      checked.push(userName);
      if (userName === 'outage') throw new Problem('directory_unavailable');
      return password === 'secret' ? { subject: 'u1', claims: {} } : undefined;
    },
    claims: async () => undefined,
  } satisfies UserDirectory;
  const attempts = createLoginAttempts({ perUserName: 2, perAddress: 100 });
  services = {
    api: { login } as unknown as Services['api'],
    users: createDirectoryUsers({ directory, attempts, passwordAcr: 'urn:carnet:1fa' }),
    accounts: undefined,
    sessionsApi: {} as Services['sessionsApi'],
    accountClient: {} as Services['accountClient'],
    formTokens: createFormTokens({ secure: false }),
    attempts,
    ui: defaultUi,
    cookies: createSealedCookies({ secrets: ['a'.repeat(32)], secure: false }),
    settings: {
      rememberForSeconds: 60,
      scopesTicked: true,
      trustedProxyHops: 0,
      passwordAcr: 'urn:carnet:1fa',
      uiUrl: new URL('http://127.0.0.1:3000'),
    },
  };
});

const post = async (fields: Record<string, string>): Promise<Response> => {
  const { token, cookie } = services.formTokens.issue(new Request(url), 'c1');
  const body = new URLSearchParams({ [formTokenField]: token, decision: 'accept', ...fields });
  return submitLogin(
    services,
    new Request(url, { method: 'POST', body, headers: { cookie: cookie.split(';')[0] ?? '' } }),
  );
};

describe('the login page', () => {
  it('is a form that posts to its own address and says for whom', async () => {
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
  ])('is not shown without a challenge', async (address) => {
    await expect(showLogin(services, new Request(address))).rejects.toMatchObject({
      code: 'missing_challenge',
      status: 400,
    });
  });
});

describe('a login', () => {
  it('with the right password goes on by 303, so that the password is not posted along', async () => {
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

  it('is not remembered unless asked for', async () => {
    await post({ email: 'ann', password: 'secret' });
    expect(decisions).toMatchObject([{ body: { remember: false } }]);
  });

  it('with a wrong password shows the form again, with the email and without the password', async () => {
    const response = await post({ email: 'ann@example.com', password: 'wr0ng-pass', remember: '1' });
    const html = await response.text();
    expect(response.status).toBe(401);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="ann@example.com"');
    expect(html).toMatch(/id="remember"[^>]*checked/);
    expect(html).not.toContain('wr0ng-pass');
    expect(decisions).toEqual([]);
  });

  it('is refused after too many wrong passwords, with the right one too, until the window is over', async () => {
    for (const email of ['ann', 'ANN']) await post({ email, password: 'wrong' });
    const response = await post({ email: 'Ann', password: 'secret' });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(checked).toHaveLength(2);
    expect((await post({ email: 'bob', password: 'secret' })).status).toBe(303);
  });

  it('lets no parallel guesses slip in together', async () => {
    await Promise.all(Array.from({ length: 20 }, () => post({ email: 'ann', password: 'wrong' })));
    expect(checked).toHaveLength(2);
  });

  it('does not count against anybody while the directory is down', async () => {
    for (let n = 0; n < 5; n += 1) {
      await expect(post({ email: 'outage', password: 'x' })).rejects.toMatchObject({ code: 'directory_unavailable' });
    }
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
  ])('is refused when no form could have sent it', async (fields) => {
    await expect(post(fields)).rejects.toMatchObject({ code: 'invalid_form' });
    expect(checked).toEqual([]);
  });

  it('without the form token is looked at by nobody', async () => {
    const body = new URLSearchParams({ email: 'ann', password: 'secret', decision: 'accept' });
    await expect(submitLogin(services, new Request(url, { method: 'POST', body }))).rejects.toMatchObject({
      code: 'forged_form',
    });
    expect([checked, decisions]).toEqual([[], []]);
  });
});
