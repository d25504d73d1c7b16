import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { click, type Step } from '../../../test/browser/accessibility/journeys.ts';
import { arabic, english, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { shows } from '../../../test/browser/steps.ts';
import type { Browser } from './chromium/observed-page.ts';
import { openObservedPage } from './chromium/observed-page.ts';
import { demoUser, startStack } from './chromium/stack.ts';

let chromium: Browser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

const organizations = [
  { name: 'acme', displayName: 'Acme', members: { groups: ['acme'] }, brand: { color: '#ffee00' } },
  { name: 'globex', displayName: 'Globex International Trading', members: { groups: ['globex'] } },
];

type Tokens = Readonly<Record<'id_token' | 'access_token' | 'refresh_token', string>>;

const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

/** The demo user in both organizations, and a client with the scope `organization`. */
const start = async () => {
  const stack = await startStack(async () => [], false, { organizations });
  const { carnet, issuer, ui } = stack;
  const redirectUri = `${ui}/of-the-app`;
  const client = { client_id: 'app', client_name: 'App', redirect_uris: [redirectUri] };
  const scope = 'openid offline_access organization';
  await carnet.clients.create({
    ...client,
    ...{ scope, client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' },
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const [demo] = (await carnet.users?.list())?.users ?? [];
  const groups = new Map<string, string>();
  for (const { name } of organizations)
    groups.set(name, (await carnet.groups?.create({ name, members: [demo?.subject ?? ''] }))?.id ?? '');
  const request = (parameters: Record<string, string> = {}) =>
    `${issuer}/oauth2/auth?${new URLSearchParams({
      ...{ client_id: 'app', redirect_uri: redirectUri, response_type: 'code', scope, state: 'a state of the app' },
      ...parameters,
    })}`;
  const token = async (form: Record<string, string>): Promise<Tokens> => {
    const body = new URLSearchParams({ client_id: 'app', client_secret: 'secret', ...form });
    return (await fetch(`${issuer}/oauth2/token`, { method: 'POST', body })).json();
  };
  const redeem = (code: string) => token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  return { ...stack, groups, request, token, redeem, redirectUri };
};

type Stack = Awaited<ReturnType<typeof start>>;

it('tokens have the organization of their sign-in, and a silent sign-in for another one is checked', async () => {
  const stack = await start();
  const { issuer, carnet, groups, request, token, redeem, redirectUri } = stack;
  const context = await chromium.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  /** The parameters with which the app is called. */
  const answerOf = async (parameters: Record<string, string>) => {
    await page.goto(request(parameters));
    const url = new URL(page.url());
    return url.href.startsWith(redirectUri) ? Object.fromEntries(url.searchParams) : {};
  };

  await page.goto(request());
  await page.fill('#email', demoUser.email);
  await page.fill('#password', demoUser.password);
  await page.check('#remember');
  await page.click('#accept');
  await shows(page, 'Choose an organization');
  await page.click('button[value=globex]');
  await page.check('#remember');
  await page.click('#accept');
  await page.waitForURL((url) => url.href.startsWith(redirectUri));
  const first = await redeem(new URL(page.url()).searchParams.get('code') ?? '');
  expect(claimsIn(first.id_token)).toMatchObject({ organization: 'globex' });
  const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  expect(discovery.scopes_supported).toContain('organization');
  const headers = { authorization: `Bearer ${first.access_token}` };
  const userinfo = async () => (await fetch(`${issuer}/userinfo`, { headers })).json();
  expect(await userinfo()).toMatchObject({ organization: 'globex' });
  expect(await carnet.tokens.introspect(first.access_token)).toMatchObject({ ext: { organization: 'globex' } });

  const silent = { prompt: 'none' };
  expect(await answerOf(silent)).toMatchObject({ error: 'interaction_required' });
  const { code = '' } = await answerOf({ ...silent, organization: 'acme' });
  expect(claimsIn((await redeem(code)).id_token)).toMatchObject({ organization: 'acme' });
  expect(await answerOf({ ...silent, organization: 'initech' })).toMatchObject({ error: 'invalid_request' });

  await carnet.groups?.update({ id: groups.get('acme') ?? '', members: [] });
  expect(await answerOf({ ...silent, organization: 'acme' })).toMatchObject({ error: 'login_required' });
  await page.goto(request({ organization: 'acme' }));
  await page.click('button[name=account]');
  await page.fill('#password', demoUser.password);
  await page.click('#accept');
  await page.waitForURL((url) => url.href.startsWith(redirectUri));
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ error: 'access_denied' });

  // As granted: a refreshed token is one of the first sign-in.
  const refreshed = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
  expect(claimsIn(refreshed.id_token)).toMatchObject({ organization: 'globex' });
});

const steps: readonly Step<Stack>[] = [
  ['sign-in for an organization', (page, { request }) => page.goto(request({ organization: 'acme' })).then(() => {})],
  [
    'choice of the organization',
    async (page, { request }) => {
      await page.goto(request());
      await page.fill('#email', demoUser.email);
      await page.fill('#password', demoUser.password);
      await click('#accept', '.accounts')(page);
    },
  ],
  ['consent', (page) => click('button[value=globex]', '#reject')(page)],
];

describe('WCAG 2.2 AA', () => {
  it.for([english, arabic])('has no violation on the pages of organizations in $locale', async (reading) => {
    const stack = await start();
    const page = await openObservedPage(chromium, { locale: reading.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(page, stack, reading, { name: 'organizations', steps })).toEqual([]);
  });
});
