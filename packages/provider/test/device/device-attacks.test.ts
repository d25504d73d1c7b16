import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, refusal } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import {
  acceptUserCode,
  askForCodes,
  beginDevice,
  deviceConfig,
  deviceMetadata,
  letIn,
  newCodes,
  poll,
  typeCode,
  walkDevice,
} from '../device.ts';
import { type Instance, type StartOptions, start } from '../harness.ts';
import {
  acceptConsent,
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  challengeIn,
  headless,
  introspect,
  login,
} from '../login.ts';

const unknownCode = {
  error: 'invalid_request',
  error_description: "The 'user_code' session could not be found or has expired or is otherwise malformed.",
};

const deviceFeature = { pollingIntervalSeconds: 5, userCodesPerMinute: 60 };

let clock = Date.now();
let instance: Instance;
let tv: TestClient;

const begun = async (options: StartOptions = {}) => {
  clock = Date.now();
  const { config, ...rest } = options;
  instance = await start({ config: { ...deviceConfig, ...config }, now: () => clock, ...rest });
  tv = await registerClient(instance, 'tv', { ...deviceMetadata, token_endpoint_auth_method: 'none' });
};

const guess = async (challenge: string, code: string) => (await acceptUserCode(instance, challenge, code)).status;
const errorFor = async (codes: { readonly device_code: string }, client = tv) =>
  (await poll(instance, client, codes.device_code)).body.error;
/** A page that sends the browser nowhere and sets no cookie. */
const pageStatus = (response: Response) => {
  expect([response.headers.get('location'), response.headers.getSetCookie()]).toEqual([null, []]);
  return response.status;
};

describe('the browser that types the code', () => {
  beforeAll(() => begun());
  afterAll(() => instance.stop());

  test('the flow must end where it began: a verifier that is sent to another browser is refused', async () => {
    const codes = await newCodes(instance, tv);
    const attacker = createBrowser();
    const { body } = await acceptUserCode(instance, await beginDevice(instance, attacker), codes.user_code);
    expect(pageStatus(await createBrowser().get(String(body.redirect_to)))).toBe(403);
    const walked = await walkDevice(instance, codes, { browser: attacker });
    expect(pageStatus(await createBrowser().get(walked.end))).toBe(403);
    expect(await errorFor(codes)).toBe('authorization_pending');
  });

  test('can take no verifier of a device to the authorization endpoint, and none of a client to the device', async () => {
    const codes = await newCodes(instance, tv);
    const { browser, end } = await walkDevice(instance, codes);
    const elsewhere = end.replace('/oauth2/device/verify', '/oauth2/auth');
    expect((await browser.get(elsewhere)).status).toBe(400);
    const web = await registerClient(instance, 'web');
    const challenge = await begin(browser, authorizationUrl(instance, web));
    const verifier = await acceptLogin(instance, challenge, { subject: 'alice' });
    expect((await browser.get(verifier.replace('/oauth2/auth', '/oauth2/device/verify'))).status).toBe(400);
    expect(await errorFor(codes)).toBe('authorization_pending');
  });

  test('answers once: the same verifier again is told so, and changes nothing', async () => {
    const codes = await newCodes(instance, tv);
    const { browser, end } = await walkDevice(instance, codes);
    const cookies = new Map(browser.cookies);
    expect((await browser.get(end)).status).toBe(302);
    expect(pageStatus(await createBrowser(cookies).get(end))).toBe(400);
    const { body } = await poll(instance, tv, codes.device_code);
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true });
  });

  test('answers one device: with the same challenge a second one is not let in', async () => {
    const [first, second] = [await newCodes(instance, tv), await newCodes(instance, tv)];
    const browser = createBrowser();
    const challenge = await beginDevice(instance, browser);
    const ends: string[] = [];
    for (const { user_code } of [first, second]) {
      const { body } = await acceptUserCode(instance, challenge, user_code);
      const login = challengeIn(await browser.get(String(body.redirect_to)), 'login');
      const toConsent = await acceptLogin(instance, login, { subject: 'alice' });
      const consent = challengeIn(await browser.get(toConsent), 'consent');
      ends.push(await acceptConsent(instance, consent, { grant_scope: ['openid'] }));
    }
    const cookies = new Map(browser.cookies);
    expect((await createBrowser(cookies).get(ends[0] ?? '')).status).toBe(302);
    expect((await createBrowser(cookies).get(ends[1] ?? '')).status).toBe(400);
    const { body } = await poll(instance, tv, first.device_code);
    expect(await errorFor(second)).toBe('authorization_pending');
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true });
  });

  test('can not let in a device whose client was deleted, or may have no devices any more', async () => {
    const client = await registerClient(instance, 'leaving', deviceMetadata);
    const { browser, end } = await walkDevice(instance, await newCodes(instance, client));
    expect((await adminClients(instance, 'DELETE', '/leaving')).status).toBe(204);
    expect((await browser.get(end)).status).toBe(400);
  });

  test('comes too late when the code has expired: the device is told so, and then nothing', async () => {
    const codes = await newCodes(instance, tv);
    const { browser, end } = await walkDevice(instance, codes);
    clock += 900_000;
    const late = await browser.get(end);
    expect([late.status, late.headers.get('location')]).toEqual([400, null]);
    expect(await errorFor(codes)).toBe('expired_token');
    clock = Date.now();
  });
});

describe('a user code', () => {
  beforeAll(() => begun());
  afterAll(() => instance.stop());

  test('a wrong, used, denied or expired code gets the same error', async () => {
    const used = await newCodes(instance, tv);
    await letIn(instance, used);
    const denied = await newCodes(instance, tv);
    await letIn(instance, denied, { consent: { grant_scope: [] } });
    const expired = await newCodes(instance, tv);
    const refused = { status: 400, body: unknownCode };
    const accept = async (code: string) => acceptUserCode(instance, await beginDevice(instance, createBrowser()), code);
    for (const code of ['BBBBBBBB', used.user_code, denied.user_code, 'short', ''])
      expect(await accept(code)).toMatchObject(refused);
    clock += 900_000;
    expect(await accept(expired.user_code)).toMatchObject(refused);
  });

  test('a user code needs a valid challenge: a missing, wrong or old one is refused', async () => {
    const { user_code } = await newCodes(instance, tv);
    expect(await headless(instance, 'PUT', 'device/accept', { user_code })).toMatchObject(refusal('invalid_request'));
    expect((await acceptUserCode(instance, 'nonsense', user_code)).status).toBe(404);
    const challenge = await beginDevice(instance, createBrowser());
    clock += 1_900_000;
    const old = await acceptUserCode(instance, challenge, user_code);
    expect([old.status, old.body]).toEqual([410, { redirect_to: `${instance.issuer}/oauth2/device/verify` }]);
  });

  test('never reaches the log, nor do challenges and device codes', async () => {
    const codes = await newCodes(instance, tv);
    const challenge = await beginDevice(instance, createBrowser(), { user_code: codes.user_code });
    await guess(challenge, codes.user_code);
    await guess(challenge, 'BCDFGHJK');
    const log = instance.log();
    for (const secret of [codes.user_code, 'BCDFGHJK', codes.device_code, challenge]) expect(log).not.toContain(secret);
    expect(log).toContain('unknown_user_code');
  });
});

describe('guessing', () => {
  beforeAll(() => begun({ config: { ...deviceConfig, features: { device: deviceFeature } } }));
  afterAll(() => instance.stop());

  test('guessing ends after five codes of one flow, sent at once or one by one; the right code is then refused too', async () => {
    clock += 60_000;
    const { user_code } = await newCodes(instance, tv);
    const challenge = await beginDevice(instance, createBrowser());
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(challenge, 'BBBBBBBB')));
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
    expect(await acceptUserCode(instance, challenge, user_code)).toMatchObject(refusal('too_many_requests', 429));
    expect(instance.log()).toContain('too_many_attempts');
  });

  test('in many flows is limited for all together, for ten seconds', async () => {
    clock = Math.ceil(clock / 10_000) * 10_000 + 100_000;
    const { user_code } = await newCodes(instance, tv);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => guess(await beginDevice(instance, createBrowser()), 'BBBBBBBB')),
    );
    // 60 a minute are 10 in ten seconds.
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    const challenge = await beginDevice(instance, createBrowser());
    expect(await guess(challenge, user_code)).toBe(429);
    clock += 10_000;
    expect(await guess(challenge, user_code)).toBe(200);
  });

  test('what can be no code costs nobody an attempt, and the store nothing', async () => {
    clock += 60_000;
    const challenge = await beginDevice(instance, createBrowser());
    instance.calls.reset();
    for (let i = 0; i < 10; i++) expect(await guess(challenge, 'AEIOUAEI')).toBe(400);
    expect(instance.calls.trips()).toBe(0);
  });
});

describe('a device that asks too often', () => {
  beforeAll(() => begun({ config: { ...deviceConfig, features: { device: deviceFeature } } }));
  afterAll(() => instance.stop());

  test('the device gets slow_down without a write, unless its answer is ready', async () => {
    const codes = await newCodes(instance, tv);
    instance.calls.reset();
    expect(await errorFor(codes)).toBe('authorization_pending');
    expect(await errorFor(codes)).toBe('slow_down');
    clock += 5_000;
    expect(await errorFor(codes)).toBe('authorization_pending');
    expect(instance.calls.commits).toEqual([]);
    await letIn(instance, codes);
    expect((await poll(instance, tv, codes.device_code)).status).toBe(200);
  });
});

describe('a flood of device authorizations', () => {
  beforeAll(() => begun());
  afterAll(() => instance.stop());

  test('a flood is limited for a public client, which any attacker can name, and does not affect clients that authenticate', async () => {
    const box = await registerClient(instance, 'box', deviceMetadata);
    clock += 60_000;
    const flood = async (client: TestClient) => {
      const answers = await Promise.all(Array.from({ length: 220 }, () => askForCodes(instance, client)));
      return answers.filter(({ status }) => status !== 200);
    };
    const refused = await flood(tv);
    expect(refused).toHaveLength(20);
    expect(refused[0]).toMatchObject(refusal('temporarily_unavailable', 503));
    expect(await flood(box)).toEqual([]);
    clock += 1_000;
    expect((await askForCodes(instance, tv)).status).toBe(200);
  });
});

describe('two devices with one user code', () => {
  test('never are: the second gets another', async () => {
    await begun();
    const real = instance;
    // Says that the first two codes are taken.
    let left = 2;
    const adapter: Instance['adapter'] = {
      ...real.adapter,
      commit: async (writes) => {
        const write = writes.find((one) => one.type === 'claim' && one.record.kind === 'device');
        if (write === undefined || left-- <= 0) return real.adapter.commit(writes);
        return { write, reason: 'exists' };
      },
    };
    instance = await start({ config: deviceConfig, adapter });
    const { status, body } = await askForCodes(instance, tv);
    expect([status, left]).toEqual([200, -1]);
    const walked = await walkDevice(instance, body as never);
    expect(locationOf(await walked.browser.get(walked.end)).pathname).toBe('/device/success');
    expect((await poll(instance, tv, String(body.device_code))).status).toBe(200);
    left = 100;
    expect(await askForCodes(instance, tv)).toMatchObject(refusal('temporarily_unavailable', 503));
    await instance.stop();
    await real.stop();
  });
});

describe('somebody else’s session that ends elsewhere at the moment in which a device is let in', () => {
  test('does not stand in the way: the device is let in, by whoever logged in', async () => {
    const real = openMemoryAdapter();
    let atOnce: (() => Promise<unknown>) | undefined;
    const adapter: StorageAdapter = {
      ...real,
      async commit(writes) {
        const first = writes.some(({ type }) => type === 'consume') ? atOnce : undefined;
        if (first) atOnce = undefined;
        await first?.();
        return real.commit(writes);
      },
    };
    await begun({ adapter });
    const web = await registerClient(instance, 'web');
    const browser = createBrowser();
    const alice = await login(instance, web, { browser, subject: 'alice', login: { remember: true } });
    const codes = await newCodes(instance, tv);
    const loginChallenge = await typeCode(instance, browser, codes.user_code, { prompt: 'login' });
    const toConsent = await acceptLogin(instance, loginChallenge, { subject: 'bob', remember: true });
    const end = await acceptConsent(instance, challengeIn(await browser.get(toConsent), 'consent'));
    const sid = String(decodeJwt(String(alice.id_token)).sid);
    const sessions = `${instance.admin}/admin/oauth2/auth/sessions/login?sid=${sid}`;
    atOnce = () => fetch(sessions, { method: 'DELETE' });
    expect(locationOf(await browser.get(end)).pathname).toBe('/device/success');
    const { status, body: tokens } = await poll(instance, tv, codes.device_code);
    expect([status, decodeJwt(String(tokens.id_token)).sub]).toEqual([200, 'bob']);
    expect(await askLogin(instance, web, { browser })).toMatchObject({ skip: true, subject: 'bob' });
    await instance.stop();
  });
});
