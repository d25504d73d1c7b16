import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { enter, shows } from '../../../test/browser/steps.ts';
import { startUpstreamStack, type UpstreamStack } from './chromium/upstream.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let chromium: Browser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

const ada = { name: 'Ada Lovelace', email: 'ada@corp.example', email_verified: true };
const demo = { email: 'demo@example.com', password: 'carnet-demo' };

/** A browser whose user is this one at the provider, or cancels there. */
const open = async (
  { ui }: UpstreamStack,
  login: { user: string } | 'stop',
  javaScriptEnabled = false,
): Promise<Page> => {
  const extraHTTPHeaders = { 'x-test-login': JSON.stringify(login) };
  const context = await chromium.newContext({ javaScriptEnabled, extraHTTPHeaders });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${ui}/account`);
  return page;
};

it('a user signs in with a provider for the first time, confirms the account, and signs in again at once', async () => {
  const stack = await startUpstreamStack();
  stack.upstream.users.set('ada', ada);
  const page = await open(stack, { user: 'ada' });
  await page.click('#provider-corp');
  await shows(page, 'Create an account');
  expect(await page.textContent('main')).toContain(ada.email);
  await page.click('#accept');
  await shows(page, 'Your account');
  const section = await page.textContent('#providers');
  expect(section).toContain('Corp');
  expect(section).toContain(ada.email);
  await page.click('#providers .item a');
  await page.click('#accept');
  await shows(page, 'This is your only way to sign in');

  const again = await open(stack, { user: 'ada' });
  await again.click('#provider-corp');
  await shows(again, 'Your account');
});

it('the address of an existing user is linked after a sign-in of that user', async () => {
  const stack = await startUpstreamStack();
  stack.upstream.users.set('dana', { name: 'Dana', email: demo.email, email_verified: true });
  const page = await open(stack, { user: 'dana' });
  await page.click('#provider-corp');
  await shows(page, 'Connect Corp');
  await page.fill('#password', 'not the password');
  await page.click('#accept');
  await page.locator('#message').waitFor();
  await page.fill('#password', demo.password);
  await page.click('#accept');
  await shows(page, 'Your account');
  expect(await page.textContent('#providers')).toContain(demo.email);

  const again = await open(stack, { user: 'dana' });
  await again.click('#provider-corp');
  await shows(again, 'Your account');
  expect(await again.textContent('.person')).toContain(demo.email);
});

it('a user connects a provider on the account page, signs in with it, and removes it', async () => {
  const stack = await startUpstreamStack();
  stack.upstream.users.set('ada', ada);
  const page = await open(stack, { user: 'ada' });
  await enter(page, demo);
  await shows(page, 'Your account');
  await page.click('#connect-corp');
  await page.click('#accept');
  await page.locator('#saved').waitFor();
  expect(await page.textContent('#providers')).toContain(ada.email);

  const again = await open(stack, { user: 'ada' });
  await again.click('#provider-corp');
  await shows(again, 'Your account');
  expect(await again.textContent('.person')).toContain(demo.email);

  await page.click('#providers .item a');
  await page.click('#accept');
  await page.locator('#saved').waitFor();
  expect(await page.locator('#providers .item').count()).toBe(0);
});

it('a sign-out of a remembered login continues at the provider, and leads back to the client', async () => {
  const stack = await startUpstreamStack({ logout: true, signUp: 'automatic' });
  const { ui, upstream } = stack;
  upstream.users.set('ada', ada);
  // The script of the page passes on whether the user wants to stay signed in.
  const page = await open(stack, { user: 'ada' }, true);
  await page.check('#remember');
  await page.click('#provider-corp');
  await shows(page, 'Your account');
  const sessions = async () => (await page.context().cookies()).map(({ name }) => name);
  expect(await sessions()).toContain('carnet_signed_in_at');
  await page.click('#sign-out');
  await page.click('button[value="yes"]');
  await page.waitForURL(`${ui}/account/signed-out**`);
  expect(await sessions()).not.toContain('carnet_signed_in_at');
  expect(upstream.requests).toContain('POST /session/end/confirm');

  await page.goto(`${ui}/account`);
  await shows(page, 'Choose an account');
  expect(await page.textContent('main')).toContain('Corp');
  await page.click('button[name="account"]');
  await shows(page, 'Your account');
});

it('a remembered login continues for the organization of its provider, and the browser goes there once more if it is not known', async () => {
  const organizations = [{ name: 'acme', displayName: 'Acme', providers: ['corp'] }];
  const stack = await startUpstreamStack({ signUp: 'automatic' }, false, { organizations });
  const { issuer, ui, carnet, upstream } = stack;
  upstream.users.set('ada', ada);
  const redirectUri = `${ui}/of-the-app`;
  const client = { client_id: 'app', redirect_uris: [redirectUri], scope: 'openid', skip_consent: true };
  await carnet.clients.create({ ...client, client_secret: 'secret' });
  const page = await open(stack, { user: 'ada' }, true);
  await page.check('#remember');
  await page.click('#provider-corp');
  await shows(page, 'Your account');
  const answerTo = async (prompt: Record<string, string>) => {
    const asked = { client_id: 'app', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
    const query = new URLSearchParams({ ...asked, state: 'a state of the app', organization: 'acme', ...prompt });
    await page.goto(`${issuer}/oauth2/auth?${query}`);
    await page.waitForURL((url) => url.href.startsWith(redirectUri));
    return Object.fromEntries(new URL(page.url()).searchParams);
  };
  const before = upstream.requests.length;
  expect(await answerTo({})).toHaveProperty('code');
  expect(upstream.requests).toHaveLength(before);
  await page.context().clearCookies({ name: 'carnet_signed_in_at' });
  expect(await answerTo({ prompt: 'none' })).toMatchObject({ error: 'login_required' });
  expect(await answerTo({})).toHaveProperty('code');
  expect(upstream.requests.length).toBeGreaterThan(before);
});

it('a user who cancels at the provider can sign in with a password', async () => {
  const stack = await startUpstreamStack();
  const page = await open(stack, 'stop');
  await page.click('#provider-corp');
  await shows(page, 'You are not signed in');
  await page.click('#start-again');
  await enter(page, demo);
  await shows(page, 'Your account');
});

it('a provider whose client is fixed to it signs users in without a button, and refuses unknown ones', async () => {
  const stack = await startUpstreamStack({ clients: ['carnet-account'], signUp: 'off' });
  stack.upstream.users.set('ada', ada);
  const page = await open(stack, { user: 'ada' });
  await shows(page, 'You have no account here');
  expect(await page.locator('#start-again').count()).toBe(0);
});

it('without users of its own, Carnet signs in a user of the only provider at once, with the claims of the provider', async () => {
  const stack = await startUpstreamStack({}, true);
  stack.upstream.users.set('ada', ada);
  const redirectUri = `${stack.ui}/of-the-app`;
  const client = { client_id: 'app', client_name: 'App', redirect_uris: [redirectUri], scope: 'openid profile email' };
  const method = 'client_secret_post';
  await stack.carnet.clients.create({ ...client, client_secret: 'secret', token_endpoint_auth_method: method });
  const page = await open(stack, { user: 'ada' });
  // There is no account page.
  await shows(page, 'This link is not valid');
  const asked = {
    client_id: 'app',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: client.scope,
    state: 'a-state',
  };
  await page.goto(`${stack.issuer}/oauth2/auth?${new URLSearchParams(asked)}`);
  await shows(page, 'Allow access?');
  expect(await page.textContent('.person')).toContain(ada.name);
  await page.click('#accept');
  await page.waitForURL((url) => url.href.startsWith(redirectUri));
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: 'app',
    client_secret: 'secret',
  };
  const tokens = await fetch(`${stack.issuer}/oauth2/token`, { method: 'POST', body: new URLSearchParams(grant) });
  const { id_token: idToken } = (await tokens.json()) as { id_token: string };
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ ...ada, sub: expect.stringMatching(/^corp\./), amr: ['fed'] });
});
