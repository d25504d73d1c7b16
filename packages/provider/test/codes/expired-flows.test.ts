import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { acceptLogin, askLogin, authorizationUrl, begin, challengeIn, headless, redeem } from '../login.ts';
import { browserWith, codeAt, pageOf, startAgainIn, through, walk } from '../walk.ts';

const lifetime = 1_800;

describe('a flow that has expired', () => {
  const instance = beforeTests(() => start({ now, adapter: openMemoryAdapter({ now }) }));
  const client = registerBeforeTests(instance, 'app');
  let offset = 0;
  const now = () => Date.now() + offset * 1000;

  beforeEach(() => {
    offset = 0;
  });

  const params = { state: 'the-state-of-the-first-request', scope: 'openid profile', prompt: 'login' };

  /** That it begins the same request again, and that this can be finished. */
  const expectRestart = async (url: string): Promise<void> => {
    const { searchParams } = new URL(url);
    expect(searchParams.get('state')).toBe(params.state);
    expect([...searchParams.keys()].filter((name) => /challenge$|verifier$/.test(name))).toEqual(['code_challenge']);
    const browser = createBrowser();
    const toConsent = await acceptLogin(instance, await begin(browser, url), { subject: 'alice' });
    expect(challengeIn(await browser.get(toConsent), 'consent')).toBeTruthy();
  };

  test.each(['login', 'login/accept', 'login/reject', 'consent', 'consent/accept', 'consent/reject'])(
    'expired: the admin API answers 410 with a redirect_to that starts the request again (%s)',
    async (path) => {
      const flow = await walk(instance, client, { params });
      const [what = ''] = path.split('/');
      const challenge = what === 'login' ? flow.loginChallenge : flow.consentChallenge;
      const [method, sent] = path === what ? (['GET'] as const) : (['PUT', { subject: 'alice' }] as const);
      offset = lifetime + 31;
      const { status, body } = await headless(instance, method, `${path}?${what}_challenge=${challenge}`, sent);
      expect(status).toBe(410);
      expect(Object.keys(body)).toEqual(['redirect_to']);
      await expectRestart(String(body.redirect_to));
    },
  );

  test.each(['loginUrl', 'consentUrl'] as const)(
    'expired: the browser gets a 400 page with "Start again" that does (%s)',
    async (leg) => {
      const flow = await walk(instance, client, { params });
      offset = lifetime + 31;
      const page = await pageOf(await browserWith(flow.cookies).get(flow[leg]));
      expect(page).toMatch(/^400 .*This sign-in has expired/s);
      await expectRestart(startAgainIn(page));
    },
  );

  test('expiry is inside the seal: a cookie kept past its Max-Age gives no more time, one lost early less', async () => {
    const flow = await walk(instance, client);
    offset = lifetime + 31;
    expect((await browserWith(flow.cookies).get(flow.consentUrl)).status).toBe(400);
    offset = 0;
    expect((await createBrowser().get(flow.consentUrl)).status).toBe(403);
  });

  test('expiry is inside the seal: a session cookie kept past its Max-Age is no login', async () => {
    const browser = createBrowser();
    const flow = await walk(instance, client, { browser, login: { remember: true, remember_for: 60 } });
    await browser.get(flow.consentUrl);
    const skips = async () => (await askLogin(instance, client, { browser: browserWith(browser.cookies) })).skip;
    expect(await skips()).toBe(true);
    offset = 61;
    expect(await skips()).toBe(false);
  });

  test('already used: the admin API answers 410 with where to start again, the browser gets a 400 page that says so', async () => {
    const flow = await walk(instance, client, { params });
    await codeAt(flow.browser, flow.consentUrl);
    const { status, body } = await headless(instance, 'GET', `consent?consent_challenge=${flow.consentChallenge}`);
    expect(status).toBe(410);
    await expectRestart(String(body.redirect_to));
    const page = await pageOf(await flow.browser.get(flow.consentUrl));
    expect(page).toMatch(/^400 .*This sign-in is already finished/s);
    await expectRestart(startAgainIn(page));
  });

  test('a code past its lifetime is refused, whatever the cookie says', async () => {
    const flow = await walk(instance, client);
    // Sealed by a clock that is 11 minutes slow: oidc-provider’s own clock can’t be turned.
    offset = -660;
    const code = await codeAt(flow.browser, flow.consentUrl);
    offset = 0;
    expect((await redeem(instance, client, code)).body.error).toBe('invalid_grant');
  });
});

describe('two processes whose clocks differ by 30 seconds', () => {
  let time = Date.now();
  const processes: Instance[] = [];
  let client: TestClient;

  beforeAll(async () => {
    const adapter = openMemoryAdapter({ now: () => time });
    const first = await start({ adapter, now: () => time });
    const config = { issuer: first.issuer, http: { allowedHosts: ['127.0.0.1:*'] } };
    processes.push(first, await start({ adapter, config, now: () => time + 30_000 }));
    client = await registerClient(first, 'app');
  });
  afterAll(() => Promise.all(processes.map((instance) => instance.stop())));

  /** A whole flow, its requests sent to one and the other in turn, `pauseSeconds` before each answer of a person. */
  const alternate = async (first: number, pauseSeconds: number) => {
    let turn = first;
    const next = (): Instance => processes[turn++ % 2] as Instance;
    const pause = () => {
      time += pauseSeconds * 1000;
    };
    const browser = createBrowser();
    const get = (url: string) => browser.get(through(next(), url));
    const decide = async (what: 'login' | 'consent', challenge: string, body: object): Promise<string> => {
      const path = `${what}/accept?${what}_challenge=${challenge}`;
      return String((await headless(next(), 'PUT', path, body)).body.redirect_to);
    };
    const loginChallenge = challengeIn(await get(authorizationUrl(processes[0] as Instance, client)), 'login');
    pause();
    const toConsent = await get(await decide('login', loginChallenge, { subject: 'alice' }));
    const consentChallenge = challengeIn(toConsent, 'consent');
    pause();
    const end = await get(await decide('consent', consentChallenge, { grant_scope: ['openid', 'offline_access'] }));
    return redeem(next(), client, locationOf(end).searchParams.get('code') ?? '');
  };

  test.each([0, 1])('every flow succeeds up to the last second of each step (first process: %i)', async (first) => {
    time = Date.now();
    for (const pauseSeconds of [0, 60, lifetime - 1]) {
      expect((await alternate(first, pauseSeconds)).status, `${pauseSeconds} s`).toBe(200);
    }
  });

  test.each([0, 1])(
    'every flow succeeds at midnight, when one process seals with the key of tomorrow (process %i)',
    async (first) => {
      const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
      time = midnight - 10_000;
      expect((await alternate(first, 0)).status).toBe(200);
      expect((await alternate(first, 6)).status).toBe(200);
    },
  );

  test('oidc-provider’s own clock never ends a flow before the seal does', async () => {
    // 25 seconds after its nominal end by the machine’s clock, within the 30 that are granted.
    time = Date.now() - (lifetime + 25) * 1000;
    const flow = await walk(processes[0] as Instance, client);
    expect(locationOf(await flow.browser.get(flow.consentUrl)).href.startsWith(redirectUri)).toBe(true);
  });
});
