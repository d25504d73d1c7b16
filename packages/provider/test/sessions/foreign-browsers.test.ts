import { describe, expect, test } from 'vitest';
import { createFlowId } from '../../src/flow/flow-id.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { acceptConsent, acceptLogin, askLogin, authorizationUrl, challengeIn, headless, redeem } from '../login.ts';
import { browserWith, codeAt, pageOf, sealerOf, through, walk } from '../walk.ts';

const otherBrowser = /^403 .*This sign-in began in another browser/s;
const remember = { login: { remember: true } };

/** Section B: a verifier counts only in the browser that began its flow. */
describe('a verifier in another browser', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app');

  const sessionsStored = async (subject: string) =>
    (await instance.adapter.list({ kind: 'session', subject, limit: 10 })).records.length;
  const denials = () => instance.log().split('"reason":"flow_cookie_missing"').length - 1;
  const skips = (browser: Browser) => askLogin(instance, client, { browser });

  test.each(['loginUrl', 'consentUrl'] as const)(
    'without the flow cookie: a 403 page, an audit record, no cookie, no redirect (%s)',
    async (leg) => {
      const flow = await walk(instance, client, remember);
      const before = denials();
      const stranger = createBrowser();
      instance.calls.reset();
      expect(await pageOf(await stranger.get(flow[leg]))).toMatch(otherBrowser);
      expect([stranger.cookies.size, instance.calls.trips()]).toEqual([0, 0]);
      expect(denials()).toBe(before + 1);
      const record = instance.logLines.findLast((line) => line.includes('flow_cookie_missing')) ?? '{}';
      const audit = { action: 'flow.resume', outcome: 'denied', clientId: 'app' };
      expect(JSON.parse(record)).toMatchObject({ audit });
      // It has harmed nothing: where it was begun, the flow goes on.
      expect(await codeAt(flow.browser, flow.consentUrl)).toBeTruthy();
    },
  );

  test('with the flow cookie of another flow: the same', async () => {
    const [mine, other] = [await walk(instance, client), await walk(instance, client)];
    expect(await pageOf(await browserWith(other.cookies).get(mine.loginUrl))).toMatch(otherBrowser);
    const [[name = ''] = []] = mine.cookies;
    const [[, value = ''] = []] = other.cookies;
    expect(await pageOf(await browserWith(new Map([[name, value]])).get(mine.loginUrl))).toMatch(otherBrowser);
  });

  test('session fixation: a challenge handed to a victim, who logs in with it, gives nobody anything', async () => {
    const attacker = createBrowser();
    const challenge = challengeIn(await attacker.get(authorizationUrl(instance, client)), 'login');
    // The victim opens the login page with the attacker's challenge, and enters her password.
    const victim = createBrowser();
    const toConsent = await acceptLogin(instance, challenge, { subject: 'victim', remember: true });
    expect(await pageOf(await victim.get(toConsent))).toMatch(otherBrowser);
    expect(victim.cookies.size).toBe(0);
    // What was accepted exists only in the verifier, which the attacker does not have.
    const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    expect(body).toMatchObject({ skip: false, subject: '' });
    expect(await pageOf(await attacker.get(`${instance.issuer}/oauth2/auth?login_verifier=${challenge}`))).toMatch(
      /^400 /,
    );
    expect(await sessionsStored('victim')).toBe(0);
  });

  test('login CSRF: the attacker’s verifier opened by a victim sets no session', async () => {
    const attack = await walk(instance, client, { subject: 'attacker', ...remember });
    // The attacker's own browser has signed in.
    const stored = await sessionsStored('attacker');
    const victim = createBrowser();
    for (const url of [attack.loginUrl, attack.consentUrl])
      expect(await pageOf(await victim.get(url))).toMatch(otherBrowser);
    expect(victim.cookies.size).toBe(0);
    expect(await sessionsStored('attacker')).toBe(stored);
    expect(await skips(victim)).toMatchObject({ skip: false, subject: '' });
  });

  test('login CSRF: a victim who is logged in stays who she is', async () => {
    const own = await walk(instance, client, { subject: 'victim-2', ...remember });
    await codeAt(own.browser, own.consentUrl);
    const attack = await walk(instance, client, { subject: 'attacker', ...remember });
    await pageOf(await own.browser.get(attack.consentUrl));
    expect(await skips(own.browser)).toMatchObject({ skip: true, subject: 'victim-2' });
  });

  test('cookie tossing: a flow cookie that comes twice is refused, whichever comes first', async () => {
    const flow = await walk(instance, client);
    const attack = await walk(instance, client, { subject: 'attacker' });
    const [[name = '', value = ''] = []] = flow.cookies;
    const [[, tossed = ''] = []] = attack.cookies;
    for (const header of [`${name}=${value}; ${name}=${tossed}`, `${name}=${tossed}; ${name}=${value}`]) {
      const response = await fetch(flow.loginUrl, { redirect: 'manual', headers: { cookie: header } });
      expect(await pageOf(response)).toMatch(otherBrowser);
    }
  });

  test('cookie tossing: a session cookie that comes twice is nobody’s', async () => {
    const flow = await walk(instance, client, { subject: 'attacker', ...remember });
    await codeAt(flow.browser, flow.consentUrl);
    const cookie = `carnet_session=${flow.browser.cookies.get('carnet_session')}`;
    const asked = async (header: string) => {
      const response = await fetch(authorizationUrl(instance, client), {
        redirect: 'manual',
        headers: { cookie: header },
      });
      return (await headless(instance, 'GET', `login?login_challenge=${challengeIn(response, 'login')}`)).body.subject;
    };
    expect(await asked(cookie)).toBe('attacker');
    expect(await asked(`${cookie}; carnet_session=`)).toBe('');
    expect(await asked(`carnet_session=x; ${cookie}`)).toBe('');
  });

  test('the 403 page says nothing of the flow: not its state, nonce or challenge, and has no link', async () => {
    const flow = await walk(instance, client);
    const page = await pageOf(await createBrowser().get(flow.loginUrl));
    expect(page).not.toMatch(/<a |state=|nonce=|code_challenge|oauth2/);
  });

  test.each(['/oauth2/auth/', '/oauth2/AUTH', '/oauth2/auth/x', '/oauth2/%61uth', '/oauth2//auth'])(
    'no other spelling of the path gets around the flow cookie (%s)',
    async (path) => {
      const flow = await walk(instance, client, remember);
      const stranger = createBrowser();
      for (const url of [flow.loginUrl, flow.consentUrl]) {
        const response = await stranger.get(url.replace('/oauth2/auth', path));
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.headers.get('location')).toBeNull();
      }
      expect(stranger.cookies.size).toBe(0);
      // A request that begins there is begun properly, or not at all.
      const browser = createBrowser();
      const begun = await browser.get(authorizationUrl(instance, client).replace('/oauth2/auth', path));
      expect(begun.status === 302 ? browser.cookies.size : 1).toBe(1);
    },
  );

  test('the way back as a POST binds as a GET does, and is no server error', async () => {
    const flow = await walk(instance, client);
    const post = (cookie: string) =>
      fetch(flow.consentUrl, { method: 'POST', redirect: 'manual', headers: { cookie } });
    expect(await pageOf(await post(''))).toMatch(otherBrowser);
    const cookie = [...flow.cookies].map((pair) => pair.join('=')).join('; ');
    expect(locationOf(await post(cookie)).searchParams.has('code')).toBe(true);
  });

  test('a cookie made with the right key for a flow that was never begun opens nothing by itself', async () => {
    const { keys } = sealerOf(instance.issuer);
    const id = createFlowId(Date.now());
    const browser = createBrowser(new Map([[`carnet_flow_${id}`, keys.mac('flow_cookie', id)]]));
    const response = await browser.get(`${instance.issuer}/oauth2/auth/${id}`);
    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
  });
});

describe('an issuer on https', () => {
  const issuer = 'https://id.test';
  const instance = startBeforeTests({ config: { issuer, http: { allowedHosts: ['127.0.0.1:*'] } } });
  const client = registerBeforeTests(instance, 'app');

  test('every cookie is __Host-, Secure, HttpOnly, SameSite=Lax and for the path /, without a domain', async () => {
    const browser = createBrowser();
    const lines: string[] = [];
    const get = async (url: string) => {
      const response = await browser.get(through(instance, url));
      lines.push(...response.headers.getSetCookie());
      return response;
    };
    const login = challengeIn(await get(authorizationUrl(instance, client)), 'login');
    const toConsent = await acceptLogin(instance, login, { subject: 'alice', remember: true });
    expect(toConsent.startsWith(`${issuer}/`)).toBe(true);
    const consent = challengeIn(await get(toConsent), 'consent');
    const end = locationOf(await get(await acceptConsent(instance, consent, { remember: true })));
    expect((await redeem(instance, client, end)).status).toBe(200);
    expect(new Set(lines.map((line) => line.split('=')[0]?.replace(/_flow_.*/, '_flow')))).toEqual(
      new Set(['__Host-carnet_flow', '__Host-carnet_session', '__Host-carnet_consent']),
    );
    for (const line of lines) {
      const attributes = line.split('; ').slice(1);
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure']));
      expect(attributes.join()).not.toMatch(/domain/i);
    }
  });

  test('cookie tossing: a cookie without the prefix, which a sibling domain could set, is no flow cookie', async () => {
    const browser = createBrowser();
    const begun = await browser.get(through(instance, authorizationUrl(instance, client)));
    const url = through(instance, await acceptLogin(instance, challengeIn(begun, 'login'), { subject: 'alice' }));
    const tossed = new Map([...browser.cookies].map(([name, value]) => [name.replace('__Host-', ''), value]));
    expect(await pageOf(await browserWith(tossed).get(url))).toMatch(otherBrowser);
    expect(challengeIn(await browser.get(url), 'consent')).toBeTruthy();
  });
});
