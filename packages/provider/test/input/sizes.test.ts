import { request } from 'node:http';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import { acceptConsent, acceptLogin, authorizationUrl, begin, challengeIn, headless, redeem } from '../login.ts';
import { browserWith, codeAt, pageOf, verifierIn, walk } from '../walk.ts';

/** What proxies put up with: nginx takes 8 KB of request headers, passes on 4 KB of response headers; a cookie has 4 KB. */
const maxRequestHeader = 8_192;
const maxResponseHeader = 4_096;
const maxCookie = 4_096;

/** A browser behind such a proxy: refuses to send or to receive what would not pass it. */
const createStrictBrowser = () => {
  const cookies = new Map<string, string>();
  let largestRequest = 0;
  const browser: Browser = {
    cookies,
    async get(url) {
      const { host, pathname, search } = new URL(url);
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const head = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...usualHeaders, `Cookie: ${cookie}`];
      largestRequest = Math.max(largestRequest, head.join('\r\n').length + 4);
      const response = await createBrowser(cookies).get(url);
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      expect(lines.join('\r\n').length).toBeLessThan(maxResponseHeader);
      for (const line of response.headers.getSetCookie()) expect(line.length).toBeLessThan(maxCookie);
      return response;
    },
  };
  return { ...browser, largestRequest: () => largestRequest };
};

const usualHeaders = [
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language: en-GB,en;q=0.9,de;q=0.8,fr;q=0.7',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-User: ?1',
  'Upgrade-Insecure-Requests: 1\r\nConnection: keep-alive',
];

describe('many flows in one browser', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app');

  test('twenty tabs of one client, interleaved: all complete, behind a proxy that takes 8 KB of headers', async () => {
    const browser = createStrictBrowser();
    const tabs = Array.from({ length: 20 }, (_, tab) => ({ state: `state-of-tab-${tab}`, subject: `person-${tab}` }));
    const everyTab = async <In, Out>(inputs: readonly In[], step: (input: In) => Promise<Out>): Promise<Out[]> => {
      const outputs: Out[] = [];
      for (const input of inputs) outputs.push(await step(input));
      return outputs;
    };
    const begun = await everyTab(tabs, async (tab) => ({
      ...tab,
      challenge: await begin(browser, authorizationUrl(instance, client, { state: tab.state })),
    }));
    expect(browser.cookies.size).toBe(20);
    const loggedIn = await everyTab(begun.toReversed(), async (tab) => ({
      ...tab,
      url: await acceptLogin(instance, tab.challenge, { subject: tab.subject }),
    }));
    const asked = await everyTab(loggedIn, async (tab) => ({
      ...tab,
      challenge: challengeIn(await browser.get(tab.url), 'consent'),
    }));
    const agreed = await everyTab(asked.toReversed(), async (tab) => ({
      ...tab,
      url: await acceptConsent(instance, tab.challenge),
    }));
    for (const { state, subject, url } of agreed) {
      const end = locationOf(await browser.get(url)).searchParams;
      expect(end.get('state')).toBe(state);
      const { body } = await redeem(instance, client, end.get('code') ?? '');
      expect(decodeJwt(String(body.id_token)).sub).toBe(subject);
    }
    expect(browser.cookies.size).toBe(0);
    expect(browser.largestRequest()).toBeLessThan(maxRequestHeader);
  });

  test('of more than 24 abandoned flows the oldest lose their cookies', async () => {
    const browser = createStrictBrowser();
    const flows: { url: string; name: string }[] = [];
    for (let i = 0; i < 30; i++) {
      const known = new Set(browser.cookies.keys());
      const challenge = await begin(browser, authorizationUrl(instance, client));
      const url = await acceptLogin(instance, challenge, { subject: 'alice' });
      const [name = ''] = [...browser.cookies.keys()].filter((each) => !known.has(each));
      flows.push({ url, name });
      expect(browser.cookies.size).toBeLessThanOrEqual(24);
    }
    const alive = flows.filter(({ name }) => browser.cookies.has(name));
    expect(alive).toHaveLength(24);
    for (const { url, name } of flows) {
      const response = await browser.get(url);
      if (browser.cookies.has(name)) expect(challengeIn(response, 'consent')).toBeTruthy();
      else expect(await pageOf(response)).toMatch(/^403 /);
    }
    expect(browser.largestRequest()).toBeLessThan(maxRequestHeader);
  });

  test('flows begun in different seconds: it is the oldest that goes', async () => {
    let offset = 0;
    const slow = await startInTest({ now: () => Date.now() + offset * 1000 });
    const app = await registerClient(slow, 'app');
    const browser = createStrictBrowser();
    await begin(browser, authorizationUrl(slow, app));
    const [oldest = ''] = browser.cookies.keys();
    for (offset = 1; offset < 24; offset++) await begin(browser, authorizationUrl(slow, app));
    expect(browser.cookies.has(oldest)).toBe(true);
    await begin(browser, authorizationUrl(slow, app));
    expect([browser.cookies.size, browser.cookies.has(oldest)]).toEqual([24, false]);
  });

  test('the largest request there can be, and the largest decisions, fit every limit', async () => {
    const browser = createStrictBrowser();
    const params = {
      state: 's'.repeat(1_536),
      nonce: 'n.'.repeat(256),
      login_hint: '…'.repeat(400),
      ui_locales: 'de '.repeat(300),
    };
    const challenge = challengeIn(await browser.get(authorizationUrl(instance, client, params)), 'login');
    const context = { notes: 'y'.repeat(30_000) };
    const toConsent = await acceptLogin(instance, challenge, { subject: 'x'.repeat(1_024), remember: true, context });
    const consent = challengeIn(await browser.get(toConsent), 'consent');
    const end = await browser.get(
      await acceptConsent(instance, consent, { remember: true, session: { id_token: { bio: 'z'.repeat(30_000) } } }),
    );
    const url = locationOf(end);
    expect(url.searchParams.get('state')).toBe(params.state);
    expect((await redeem(instance, client, url)).status).toBe(200);
    expect(browser.largestRequest()).toBeLessThan(maxRequestHeader);
  });

  test('a state too large even for the store is refused where it is sent, as invalid_request', async () => {
    const challenge = await begin(createBrowser(), authorizationUrl(instance, client));
    const accept = { subject: 'alice', context: { notes: 'y'.repeat(100_000) } };
    expect(await headless(instance, 'PUT', `login/accept?login_challenge=${challenge}`, accept)).toMatchObject(
      refusal('invalid_request'),
    );
  });

  test('a request whose headers exceed 16 KB is refused, not half understood', async () => {
    const { hostname, port } = new URL(instance.issuer);
    const status = await new Promise((resolve, reject) => {
      const headers = { cookie: `carnet_flow_x=${'x'.repeat(16_500)}` };
      request({ hostname, port, path: '/oauth2/auth', headers }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(431);
  });

  test('lengths are padded to steps of 64 bytes: a verifier tells little of its subject', async () => {
    const lengthFor = async (subject: string): Promise<number> => {
      const url = authorizationUrl(instance, client, { state: 'fixed', nonce: 'fixed' });
      const challenge = await begin(createBrowser(), url);
      return verifierIn(await acceptLogin(instance, challenge, { subject })).length;
    };
    const lengths = await Promise.all(Array.from({ length: 64 }, (_, i) => lengthFor('x'.repeat(i + 1))));
    expect(new Set(lengths).size).toBe(2);
    expect(await lengthFor('a')).toBe(await lengthFor('abcdefgh'));
    const [short = 0, long = 0] = [...new Set(lengths)];
    // 64 bytes are 85 or 86 characters.
    expect([85, 86]).toContain(long - short);
  });

  test('a code is padded as well', async () => {
    const lengthFor = async (subject: string): Promise<number> => {
      const flow = await walk(instance, client, { subject, params: { state: 'fixed', nonce: 'fixed' } });
      return (await codeAt(browserWith(flow.cookies), flow.consentUrl)).length;
    };
    expect(await lengthFor('a')).toBe(await lengthFor('abcdefgh'));
  });
});
