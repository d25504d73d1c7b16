import type { Accounts, EmailCodeSignIn, FactorSignIn, PasswordSignIn } from '@carnet/accounts';
import { describe, expect, it } from 'vitest';
import { createBrowser, type TestBrowser } from '../../test/browser.ts';
import { createTestServices, origin } from '../../test/services.ts';
import { createStandInProviders, signedIn } from '../../test/stand-in-providers.ts';
import type { LoginRequest } from '../api/wire.ts';
import { defaultUi } from '../page/ui.ts';
import { routeOf } from '../routes.ts';
import type { Services } from '../services.ts';

const start = `${origin}/login?login_challenge=c1`;
const user = { subject: 'u1', name: 'Ada', detail: 'ada@example.com' };

/** Pages with the stand-in, and one user with a password and a code. */
const open = (asked: Partial<LoginRequest> = {}, members: Partial<Services> = {}) => {
  const providers = createStandInProviders();
  const entered: (PasswordSignIn | FactorSignIn | EmailCodeSignIn)[] = [];
  const accounts = {
    settings: async () => ({ signUp: false, passkeys: false, passwordRecovery: true, identifierFirst: true }),
    providers,
    signIn: {
      password: async (input: PasswordSignIn) => {
        entered.push(input);
        if (input.password !== 'secret') return { state: 'refused' };
        return { state: 'factor', progress: 'p1', user, kinds: ['totp'] };
      },
      factor: async (input: FactorSignIn) => {
        entered.push(input);
        return input.code === '123456' ? signedIn : { state: 'refused' };
      },
    },
  } as unknown as Accounts;
  const { services, accepted } = createTestServices(accounts, members, asked);
  const browser = createBrowser(services);
  /** Chooses a provider; returns the callback with this code. */
  const choose = async (provider = 'google', fields: Record<string, string> = {}, of = browser) => {
    const page = await of.get(`${start}&account=other`);
    const { location = '' } = await of.submit(page, { provider, ...fields }, `id="provider-${provider}"`);
    const state = new URL(location).searchParams.get('state') ?? '';
    return (code: string) => `${origin}/login/provider/${provider}?${new URLSearchParams({ code, state })}`;
  };
  return { providers, entered, services, accepted, browser, choose };
};

const flowCookies = (browser: TestBrowser) =>
  [...browser.cookies.keys()].filter((name) => name.startsWith('__Host-carnet_provider_'));

describe('the sign-in page', () => {
  it('has a button for each provider, in a form of its own with the token of the flow', async () => {
    const { html } = await open().browser.get(start);
    expect(html).toContain('Continue with Corp &lt;b&gt;&amp; Co');
    expect(html).toMatch(/<form id="provider-form" action="\/login\/provider\?login_challenge=c1" method="post">/);
    expect(html).toMatch(/name="form_token"[^>]*>.*id="provider-google"/s);
    expect(html).not.toMatch(/href="[^"]*\/login\/provider/);
  });

  it('has the buttons alone if users exist at providers only, and keeps no login', async () => {
    const { services, browser, choose, accepted } = open();
    const settings = await services.accounts.settings();
    Object.assign(services.accounts, { settings: async () => ({ ...settings, providersOnly: true }) });
    const { html } = await browser.get(`${start}&account=other`);
    expect(html).toContain('id="provider-google"');
    expect(html).toContain('id="reject"');
    for (const absent of ['type="password"', 'name="email"', 'id="remember"', 'class="or"'])
      expect(html).not.toContain(absent);
    const answer = await choose('google', { remember: '1' });
    await browser.get(answer('good'));
    expect(accepted).toMatchObject([{ body: { subject: 'u1', remember: false, context: { claims: {} } } }]);
  });

  it('has no such form without providers', async () => {
    const { services, browser } = open();
    Object.assign(services.accounts.providers, { list: async () => ({ providers: [] }) });
    expect((await browser.get(start)).html).not.toContain('id="provider-form"');
  });

  it('redirects to the provider that the user chooses, and keeps a cookie that only this browser has', async () => {
    const { browser, choose, providers } = open();
    await choose('google', { remember: '1' });
    expect(providers.begun).toEqual([
      expect.objectContaining({
        binding: 'c1',
        clientId: 'shop',
        provider: 'google',
        callback: `${origin}/login/provider/google`,
        remember: true,
        uiLocales: 'en',
      }),
    ]);
    expect(flowCookies(browser)).toHaveLength(1);
    expect([...browser.cookies.values()].join()).not.toContain('cookie-0');
  });

  it('begins nothing without the token of the form', async () => {
    const { services, browser, providers } = open();
    const page = await browser.get(start);
    const forged = { ...page, html: page.html.replaceAll(/name="form_token" value="[^"]*"/g, 'name="x" value="y"') };
    await expect(browser.submit(forged, { provider: 'google' }, 'id="provider-google"')).rejects.toMatchObject({
      code: 'forged_form',
    });
    await expect(browser.submit(page, { provider: 'absent' }, 'id="provider-google"')).rejects.toMatchObject({
      code: 'invalid_link',
    });
    expect([providers.begun, services.accounts.providers]).toEqual([[], providers]);
  });

  it('asks a provider for a choice of accounts only if the provider knows that prompt', async () => {
    const request_url = 'https://id.example.com/oauth2/auth?prompt=select_account';
    const { choose, providers } = open({ request_url });
    await choose('google');
    await choose('corp');
    expect(providers.begun.map(({ prompt }) => prompt)).toEqual(['select_account', undefined]);
  });

  it('passes on what the client asks for: the prompt, the age of the sign-in, and the login name', async () => {
    const request_url = 'https://id.example.com/oauth2/auth?prompt=login+consent+login&max_age=60';
    const { choose, providers } = open({ request_url, oidc_context: { acr_values: ['phr'] } });
    await choose();
    expect(providers.begun).toEqual([expect.objectContaining({ prompt: 'login', maxAge: 60, acrValues: ['phr'] })]);
  });
});

describe('a sign-in with one provider only redirects to it at once', () => {
  it.each<[string, Partial<LoginRequest>]>([
    ['by the client', { client: { client_id: 'intranet' } }],
    ['by the request', { request_url: 'https://id.example.com/oauth2/auth?idp_hint=corp' }],
    ['by the domain of the suggested login name', { oidc_context: { login_hint: 'ann@corp.example' } }],
  ])('%s', async (_by, asked) => {
    const { browser, providers } = open(asked);
    const { location } = await browser.get(start);
    expect(location).toMatch(/^https:\/\/corp\.example\/authorize\?state=/);
    expect(providers.begun).toMatchObject([{ provider: 'corp', loginHint: asked.oidc_context?.login_hint }]);
  });

  it('by the domain of the login name that the user enters', async () => {
    const { browser, providers } = open();
    const named = async (email: string) =>
      browser.submit(await browser.get(start), { email, decision: 'name' }, 'id="next"');
    expect((await named('ann@example.com')).html).toContain('type="password"');
    expect((await named('ann@corp.example')).location).toContain('https://corp.example/');
    expect(providers.begun).toMatchObject([{ loginHint: 'ann@corp.example' }]);
  });
});

describe('the answer of a provider', () => {
  it('an answer signs the user in, and uses up the cookie of the flow', async () => {
    const { accepted, browser, choose, providers } = open();
    const callback = await choose('google', { remember: '1' });
    expect((await browser.get(callback('good'))).location).toContain('login_verifier');
    expect(accepted).toMatchObject([
      { challenge: 'c1', body: { subject: 'u1', remember: true, amr: ['fed'], auth_time: 1 } },
    ]);
    expect(providers.finished).toMatchObject([{ mustConfirm: false, language: 'en' }]);
    expect(flowCookies(browser)).toEqual([]);
  });

  it('an answer is not verified in a browser that did not begin the sign-in', async () => {
    const { accepted, choose, providers, services } = open();
    const callback = await choose();
    const page = await createBrowser(services).get(callback('good'));
    expect([page.status, page.title]).toEqual([400, 'The sign-in failed']);
    expect(page.html).not.toContain('login_challenge');
    expect([providers.finished, accepted]).toEqual([[], []]);
  });

  it('the page offers to start again in the browser of the sign-in whose cookie is gone', async () => {
    const { browser, choose } = open();
    const callback = await choose();
    await browser.get(callback('good'));
    const again = await browser.get(callback('good'));
    expect(again.status).toBe(400);
    expect(again.html).not.toContain('code=good');
  });

  it('an answer is not accepted at the page of another provider', async () => {
    const { accepted, browser, choose, providers } = open();
    const atCorp = (await choose('google'))('good').replace('/google', '/corp');
    expect((await browser.get(atCorp)).status).toBe(400);
    expect(providers.finished).toEqual([]);
    // With a sign-in at the other provider in the same browser, the accounts API gets the cookie of that one.
    await choose('corp');
    expect((await browser.get(atCorp)).status).toBe(401);
    expect(accepted).toEqual([]);
  });

  it.each([
    '?code=good',
    '?state=invented&code=good',
    '?state=s0.c1&state=s0.c1&code=good',
    `?state=${'a'.repeat(17_000)}`,
  ])('an answer is refused without one state of this server (%#)', async (query) => {
    const { browser, choose, providers } = open();
    await choose();
    await expect(browser.get(`${origin}/login/provider/google${query}`)).rejects.toMatchObject({
      code: 'invalid_link',
    });
    expect(providers.finished).toEqual([]);
  });

  it('an answer leads to the second factor, whose page does not have the answer', async () => {
    const { accepted, browser, choose, providers } = open();
    providers.results.set('factor', { state: 'factor', progress: 'p1', user, kinds: ['totp'] });
    const page = await browser.get((await choose())('factor'));
    expect(page.title).toBe('Confirm that it is you');
    expect(page.html).not.toContain('s0.c1');
    await browser.submit(page, { code: '123456' }, 'id="code"');
    expect(accepted).toHaveLength(1);
  });

  it('a browser has a cookie for each flow, and at most four of them', async () => {
    const { browser, services } = open();
    for (const challenge of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']) {
      const page = await browser.get(`${origin}/login?login_challenge=${challenge}`);
      await browser.submit(page, { provider: 'google' }, 'id="provider-google"');
    }
    expect(flowCookies(browser)).toHaveLength(4);
    expect(services.ui.secureCookies).toBe(true);
    const state = new URLSearchParams({ state: 's5.c6', code: 'good' });
    expect((await browser.get(`${origin}/login/provider/google?${state}`)).location).toContain('login_verifier');
    const oldest = new URLSearchParams({ state: 's0.c1', code: 'good' });
    expect((await browser.get(`${origin}/login/provider/google?${oldest}`)).status).toBe(400);
  });
});

it('links of another site with idp_hint do not remove the sign-ins that the user has begun', async () => {
  const { browser, choose, providers, services } = open();
  const callback = await choose();
  const asked = { state: 'open', request: { request_url: 'https://id.example.com/oauth2/auth?idp_hint=corp' } };
  const find = services.api.login.find;
  const hinted = async (challenge: string) => {
    const found = await find(challenge);
    return 'request' in found ? { ...found, request: { ...found.request, ...asked.request } } : found;
  };
  Object.assign(services.api.login, { find: hinted });
  for (const challenge of ['c2', 'c3', 'c4']) await browser.get(`${origin}/login?login_challenge=${challenge}`);
  const page = await browser.get(`${origin}/login?login_challenge=c5`);
  expect([page.status, page.title, page.location]).toEqual([200, 'One more step', undefined]);
  expect(providers.begun).toHaveLength(4);
  Object.assign(services.api.login, { find });
  expect((await browser.get(callback('good'))).location).toContain('login_verifier');
  // The user goes there by the button.
  expect((await browser.submit(page, {}, 'id="accept"')).location).toContain('https://corp.example/');
});

describe('an answer as a form of another site', () => {
  const post = async (browser: TestBrowser, url: string, again = false) => {
    const { pathname, searchParams } = new URL(url);
    const inputs = [...searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    const html = `<form method="post" action="${pathname}">${inputs.join('')}</form>`;
    const cookies = new Map(browser.cookies);
    // A browser sends no SameSite=Lax cookie with it.
    if (!again) browser.cookies.clear();
    const page = await browser.submit({ html, url, status: 200, title: '', location: undefined }, {}, '');
    if (!again) for (const [name, value] of cookies) browser.cookies.set(name, value);
    return page;
  };

  it('the form is posted again from this site, and then signs the user in', async () => {
    const { accepted, browser, choose, providers } = open();
    const page = await post(browser, (await choose())('good'));
    expect([page.status, page.title, providers.finished]).toEqual([200, 'One more step', []]);
    expect(page.html).toMatch(/<form id="post-again" action="\/login\/provider\/google" method="post">/);
    expect((await browser.submit(page, {}, 'post-again')).location).toContain('login_verifier');
    expect(providers.finished).toMatchObject([{ answer: expect.not.stringContaining('carnet_') }]);
    expect(accepted).toHaveLength(1);
  });

  it('the form is posted again only once', async () => {
    const { browser, choose, providers } = open();
    const page = await post(browser, (await choose())('good'));
    browser.cookies.clear();
    expect((await browser.submit(page, {}, 'post-again')).status).toBe(400);
    expect(providers.finished).toEqual([]);
  });

  it('the form of a SAML provider has the state as RelayState', async () => {
    const { browser, choose, providers } = open();
    const url = new URL((await choose())('good'));
    url.searchParams.set('RelayState', url.searchParams.get('state') ?? '');
    url.searchParams.delete('state');
    url.searchParams.set('SAMLResponse', 'PHg+');
    const page = await post(browser, url.href);
    expect(page.title).toBe('One more step');
    expect((await browser.submit(page, {}, 'post-again')).location).toContain('login_verifier');
    const [finished] = providers.finished;
    expect(new URLSearchParams(finished?.answer).get('SAMLResponse')).toBe('PHg+');
  });

  it('a form with two states is refused', async () => {
    const { browser, choose } = open();
    const url = (await choose())('good');
    await expect(post(browser, `${url}&RelayState=s0.c1`)).rejects.toMatchObject({ code: 'invalid_link' });
  });

  it('the form is not reflected if its state is not one of this server', async () => {
    const { browser } = open();
    const url = `${origin}/login/provider/google?state=x&evil=1`;
    await expect(post(browser, url)).rejects.toMatchObject({ code: 'invalid_link' });
  });
});

describe('the metadata of Carnet', () => {
  it('are a file beside the callback of a provider that has some', async () => {
    const { services } = open();
    const get = async (provider: string) => {
      const url = `${origin}/login/provider/${provider}/metadata`;
      const [show] = routeOf(new URL(url).pathname) ?? [];
      return show?.(services, new Request(url));
    };
    const response = await get('corp');
    expect(response?.headers.get('content-type')).toBe('application/samlmetadata+xml');
    expect(await response?.text()).toContain(`entityID="${origin}/login/provider/corp/metadata"`);
    await expect(get('google')).rejects.toMatchObject({ code: 'invalid_link' });
    expect(await get('Corp')).toBeUndefined();
  });
});

describe('a sign-in at a provider that signed no user in', () => {
  it.each([
    ['denied', 'You are not signed in', undefined],
    ['provider_failed', 'You could not be signed in', undefined],
    ['unknown_user', 'You have no account here', 'login'],
  ] as const)('can begin there again, continue in another way, or be cancelled: %s', async (state, title, prompt) => {
    const { accepted, browser, choose, providers } = open();
    providers.results.set('code', { state });
    const page = await browser.get((await choose('corp'))('code'));
    expect([page.status, page.title]).toEqual([401, title]);
    expect(page.html).toContain('<strong dir="auto">Corp &lt;b&gt;&amp; Co</strong>');
    expect(page.html).toContain('id="start-again" href="/login?login_challenge=c1"');
    expect((await browser.submit(page, {}, 'id="accept"')).location).toContain('https://corp.example/');
    expect(providers.begun).toMatchObject([{}, { provider: 'corp', prompt }]);
    await browser.submit(page, { decision: 'reject' }, 'id="reject"');
    expect(accepted).toMatchObject([{ body: { error: 'access_denied' } }]);
  });

  it('does not lead back to the provider by itself if there is no other way', async () => {
    const { browser, providers } = open({ client: { client_id: 'intranet' } });
    providers.results.set('code', { state: 'denied' });
    const { location = '' } = await browser.get(start);
    const state = new URL(location).searchParams.get('state') ?? '';
    const page = await browser.get(`${origin}/login/provider/corp?${new URLSearchParams({ state, code: 'code' })}`);
    expect(page.title).toBe('You are not signed in');
    expect(page.html).not.toContain('id="start-again"');
  });
});

describe('the first sign-in of an identity', () => {
  const first = {
    state: 'sign_up',
    progress: 'new',
    user: { subject: '', name: 'Ada', detail: 'ada@example.com' },
  } as const;

  it('shows the name and the address, and creates the account after the confirmation', async () => {
    const { accepted, browser, choose, providers } = open();
    providers.results.set('first', first);
    const page = await browser.get((await choose('google', { remember: '1' }))('first'));
    expect(page.title).toBe('Create an account');
    for (const text of ['Ada', 'ada@example.com', 'Google']) expect(page.html).toContain(text);
    expect(providers.signedUp).toEqual([]);
    await browser.submit(page, {}, 'id="accept"');
    expect(providers.signedUp).toMatchObject([{ progress: 'new', binding: 'c1', clientId: 'shop' }]);
    expect(accepted).toMatchObject([{ body: { subject: 'u1', remember: true } }]);
  });

  it('needs the accepted terms if the operator requires them', async () => {
    const links = { terms: 'https://example.com/terms' };
    const { browser, choose, providers } = open(
      {},
      { ui: { ...defaultUi, secureCookies: true, links, mustAcceptTerms: true } },
    );
    providers.results.set('first', first);
    const page = await browser.get((await choose())('first'));
    expect(providers.finished).toMatchObject([{ mustConfirm: true }]);
    const refused = await browser.submit(page, {}, 'id="accept"');
    expect([refused.status, providers.signedUp]).toEqual([400, []]);
    expect(refused.html).toContain('Google');
    await browser.submit(refused, { terms: '1' }, 'id="accept"');
    expect(providers.signedUp).toHaveLength(1);
  });
});

describe('an identity with the address of an existing user', () => {
  const link = {
    state: 'link',
    link: 'proof',
    login: 'ada@example.com',
    provider: { name: 'google', label: 'Google' },
  } as const;

  const openLink = async () => {
    const opened = open();
    opened.providers.results.set('link', link);
    const page = await opened.browser.get((await opened.choose('google', { remember: '1' }))('link'));
    return { ...opened, page };
  };

  it('asks for the password of that user, whose name is fixed', async () => {
    const { page } = await openLink();
    expect([page.status, page.title]).toEqual([200, 'Connect Google']);
    expect(page.html).toMatch(/<input id="email"[^>]*readOnly=""[^>]*hidden/i);
    expect(page.html).toContain('<bdi>ada@example.com</bdi>');
    expect(page.html).not.toContain('id="provider-form"');
  });

  it('the identity is linked when the sign-in is done: each step passes the proof', async () => {
    const { accepted, browser, entered, page } = await openLink();
    const email = link.login;
    const wrong = await browser.submit(page, { email, password: 'wrong' }, 'id="password"');
    expect([wrong.status, wrong.title]).toEqual([401, 'Connect Google']);
    const factor = await browser.submit(wrong, { email, password: 'secret' }, 'id="password"');
    const again = await browser.submit(factor, { code: '000000' }, 'id="code"');
    await browser.submit(again, { code: '123456' }, 'id="code"');
    expect(entered.map((input) => input.link)).toEqual(['proof', 'proof', 'proof', 'proof']);
    expect(accepted).toMatchObject([{ body: { subject: 'u1', remember: true } }]);
  });

  it('the identity is linked after a code by email in place of the password, also after a wrong one', async () => {
    const { accepted, browser, services, entered, page } = await openLink();
    const { accounts } = services;
    const settings = { ...(await accounts.settings()), emailSignIn: true };
    const emailCode = async (input: EmailCodeSignIn) => {
      entered.push(input);
      return input.code === '123456' ? signedIn : { state: 'refused' };
    };
    const requestEmailCode = async () => ({ state: 'email_code', progress: 'p2' });
    Object.assign(accounts, { settings: async () => settings });
    Object.assign(accounts.signIn, { requestEmailCode, emailCode });
    expect(page.html).not.toContain('id="email-code"');
    const wrong = await browser.submit(page, { email: link.login, password: 'wrong' }, 'id="password"');
    expect(wrong.html).toContain('id="email-code"');
    const asked = await browser.submit(wrong, { email: link.login, decision: 'email-code' }, 'id="email-code"');
    const again = await browser.submit(asked, { code: '000000' }, 'id="code"');
    await browser.submit(again, { code: '123456' }, 'id="code"');
    expect(entered.map((input) => input.link)).toEqual(['proof', 'proof', 'proof']);
    expect(accepted).toMatchObject([{ body: { subject: 'u1', remember: true } }]);
  });

  it('the identity is not linked by a form without the proof', async () => {
    const { browser, entered, page } = await openLink();
    const without = browser.submit(page, { email: link.login, password: 'secret', link: '' }, 'id="password"');
    await expect(without).rejects.toMatchObject({ code: 'invalid_form' });
    expect(entered).toEqual([]);
  });
});

describe('the notification of a provider that a user has signed out there', () => {
  const notify = async (fields: Record<string, string>, provider = 'corp', init: RequestInit = {}) => {
    const { providers, services } = open();
    const url = `${origin}/login/provider/${provider}/logout`;
    const request = new Request(url, { method: 'POST', body: new URLSearchParams(fields), ...init });
    const [, receive] = routeOf(new URL(url).pathname) ?? [];
    if (receive === undefined) throw new Error('no route');
    const response = await receive(services, request);
    return { status: response.status, cache: response.headers.get('cache-control'), got: providers.loggedOut };
  };

  it('a valid token is answered with 200, and is stored in no cache', async () => {
    expect(await notify({ logout_token: 'good' })).toEqual({ status: 200, cache: 'no-store', got: ['good'] });
  });

  it.each<[string, Record<string, string>, string, RequestInit]>([
    ['another token', { logout_token: 'bad' }, 'corp', {}],
    ['no token', {}, 'corp', {}],
    ['a token that is too long', { logout_token: 'a'.repeat(16_385) }, 'corp', {}],
    ['an unknown provider', { logout_token: 'good' }, 'absent', {}],
    ['another form', {}, 'corp', { body: '{"logout_token":"good"}', headers: { 'content-type': 'application/json' } }],
  ])('the answer is 400 to %s', async (_title, fields, provider, init) => {
    expect(await notify(fields, provider, init)).toMatchObject({ status: 400, cache: 'no-store' });
  });

  it('the address is no page', async () => {
    await expect(open().browser.get(`${origin}/login/provider/corp/logout`)).rejects.toMatchObject({
      code: 'invalid_link',
    });
  });
});
