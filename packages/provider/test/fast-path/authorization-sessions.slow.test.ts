import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Browser, createBrowser } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { authorizationUrl, redeem } from '../login.ts';
import { codeAt, walk } from '../walk.ts';
import { beginFlow, decide } from './authorization-journeys.ts';
import { everyFeature } from './every-feature.ts';
import { createFlowMask } from './flow-mask.ts';
import { type BothAnswers, type Pair, startPair } from './pair.ts';

type Params = Readonly<Record<string, string>>;

const api = 'https://api.test';

/** Clients with a rule of their own about logins. */
const clients: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  confidential: { audience: [api] },
  public: { token_endpoint_auth_method: 'none' },
  'default-age': { default_max_age: 600 },
  'no-age': { default_max_age: 0 },
  'auth-time': { require_auth_time: true },
  'default-acr': { default_acr_values: ['urn:gold'] },
  pairwise: { subject_type: 'pairwise' },
};

const idTokenClaims = (claims: object): Params => ({ claims: JSON.stringify({ id_token: claims }) });

/** Requests with something to decide about the login, each of them valid. `hint` stands for an ID token. */
const requests: readonly Params[] = [
  {},
  { scope: 'openid offline_access', prompt: 'consent' },
  ...['none', 'login', 'consent', 'select_account', 'create', 'registration', 'login consent'].map((prompt) => ({
    prompt,
  })),
  { max_age: '0' },
  { max_age: '0', prompt: 'none' },
  { max_age: '50' },
  { max_age: '50', prompt: 'none' },
  { max_age: '5000' },
  { acr_values: 'urn:gold urn:silver' },
  { id_token_hint: 'hint' },
  { id_token_hint: 'hint', prompt: 'none' },
  { id_token_hint: 'x.y.z' },
  idTokenClaims({ sub: { value: 'alice' } }),
  idTokenClaims({ sub: { value: 'bob' } }),
  { ...idTokenClaims({ sub: { value: 'bob' } }), prompt: 'none' },
  idTokenClaims({ acr: { essential: true, values: ['urn:silver'] } }),
  idTokenClaims({ acr: { essential: true, values: ['urn:gold'] }, email: null }),
  { ...idTokenClaims({ acr: { essential: true, value: 'urn:gold' } }), acr_values: 'urn:gold' },
  { response_mode: 'form_post' },
  { response_mode: 'fragment', prompt: 'none' },
  { login_hint: 'alice', ui_locales: 'de', display: 'popup', claims_locales: 'de', unknown: 'ignored', nonce: '' },
  { resource: api },
  { dpop_jkt: 'x'.repeat(43) },
  { scope: 'profile' },
  { scope: 'profile', max_age: '5' },
  { scope: 'profile', prompt: 'none' },
  { authorization_details: '[{"type":"payment"}]' },
];

describe('a browser with a session, on the fast path and by oidc-provider', () => {
  const pair = beforeTests(() =>
    startPair({
      mask,
      config: {
        ...everyFeature,
        oidc: { subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'of the tests' } } },
      },
    }),
  );
  const mask = createFlowMask(() => pair.issuer);
  const registered = new Map<string, TestClient>();
  const hints = new Map<string, string>();
  let remembered: Browser;
  let stale: Browser;
  const count = { fast: 0, all: 0 };

  /** A login that is remembered, with a remembered consent of each client. */
  const signIn = async (instance: Instance): Promise<Browser> => {
    const browser = createBrowser();
    for (const [id, client] of registered) {
      const login = { remember: true, acr: 'urn:silver' };
      const { consentUrl } = await walk(instance, client, { browser, login, consent: { remember: true } });
      const tokens = await redeem(instance, client, await codeAt(browser, consentUrl));
      hints.set(id, String(tokens.body.id_token));
    }
    return browser;
  };

  beforeAll(async () => {
    for (const [id, metadata] of Object.entries(clients)) {
      registered.set(id, await pair.arrange((instance) => registerClient(instance, id, metadata)));
    }
    stale = await pair.arrange(signIn);
    await pair.arrange(async ({ admin }) => {
      await fetch(`${admin}/admin/oauth2/auth/sessions/login?subject=alice`, { method: 'DELETE' });
    });
    remembered = await pair.arrange(signIn);
    pair.passTime(100);
  });

  const cookiesOf = (browser: Browser): string => [...browser.cookies].map((pairs) => pairs.join('=')).join('; ');

  const paramsFor = (id: string, { id_token_hint: hint, ...params }: Params): Params =>
    hint === undefined ? params : { ...params, id_token_hint: hint === 'hint' ? (hints.get(id) ?? '') : hint };

  const ask = async (request: Parameters<Pair['bothAnswer']>[0]): Promise<BothAnswers> => {
    const both = await pair.bothAnswer(request);
    expect(both.difference).toBeUndefined();
    count.all += 1;
    if (both.isFast) count.fast += 1;
    return both;
  };

  const cookieHeader = (cookies: string): readonly (readonly [string, string])[] =>
    cookies === '' ? [] : [['Cookie', cookies]];

  test.each(Object.keys(clients))('begins a flow of %s, or is refused, alike', async (id) => {
    const client = registered.get(id) as TestClient;
    for (const params of requests) {
      const { search, pathname } = new URL(authorizationUrl({ issuer: pair.issuer }, client, paramsFor(id, params)));
      for (const cookies of ['', cookiesOf(remembered), cookiesOf(stale)]) {
        const headers = cookieHeader(cookies);
        await ask({ target: pathname + search, headers });
        if (cookies !== cookiesOf(remembered)) continue;
        const form = [
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Origin', 'https://app.test'],
        ] as const;
        await ask({ method: 'POST', target: pathname, headers: [...headers, ...form], body: search.slice(1) });
      }
    }
  });

  /** One flow from its first challenge to its end, or to the visit that ends it before. */
  const travel = async (id: string, sent: Params, cookies: string, subject: string): Promise<void> => {
    const flow = await pair.arrange((instance) => beginFlow(instance, id, sent, cookies)).catch(() => undefined);
    if (flow === undefined) return;
    mask.known.add(flow.id);
    const headers = cookieHeader([cookies, ...flow.cookies].filter(Boolean).join('; '));
    const login = { verb: 'accept', body: { subject, remember: subject === 'bob' } } as const;
    const back = await pair.arrange((instance) => decide(instance, 'login', flow.challenge, login));
    const { fast, library } = await ask({ target: `/oauth2/auth?${back}`, headers });
    const [ofFast, ofLibrary] = [fast, library].map(
      (answer) => URL.parse(answer.headers.location ?? '')?.searchParams.get('consent_challenge') ?? undefined,
    );
    if (ofFast === undefined || ofLibrary === undefined) return;
    const consent = { verb: 'accept', body: { grant_scope: ['openid', 'profile'], remember: true } } as const;
    const queries = {
      fast: await decide(pair.sides.fast, 'consent', ofFast, consent),
      library: await decide(pair.sides.library, 'consent', ofLibrary, consent),
    };
    // The second time the verifier is replayed.
    for (let i = 0; i < 2; i++) await ask((side) => ({ target: `/oauth2/auth?${queries[side]}`, headers }));
  };

  test.each(Object.keys(clients))('takes a flow of %s to its end alike', async (id) => {
    for (const params of requests) {
      const sent = paramsFor(id, params);
      await travel(id, sent, '', 'alice');
      await travel(id, sent, cookiesOf(remembered), 'alice');
    }
    await travel(id, {}, cookiesOf(remembered), 'bob');
    await travel(id, { prompt: 'login' }, cookiesOf(remembered), 'bob');
    await travel(id, paramsFor(id, { id_token_hint: 'hint' }), '', 'bob');
  });

  test('the fast path answers all but malformed requests and rich authorization requests', async () => {
    expect(count.fast / count.all).toBeGreaterThan(0.85);
    await pair.assertSameMetrics();
  });
});
