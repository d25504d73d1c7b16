import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFlowId } from '../../src/flow/flow-id.ts';
import type { FlowState } from '../../src/flow/flow-state.ts';
import { sessionRecord } from '../../src/sessions/session-record.ts';
import { redirectUri, registerClient, type TestClient, testRegistration } from '../clients.ts';
import type { Faults } from '../faults.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import type { StartOptions } from '../harness.ts';
import { codeVerifier, type Json } from '../login.ts';
import { everyFeature } from './every-feature.ts';
import { oddHeaders, oddValues, sendForm, spoilt } from './hostile.ts';
import { createMint, decidedFlow } from './minted-codes.ts';
import { type BothAnswers, type Pair, type Side, startPair } from './pair.ts';
import { createRandom, type Random, seedOfTests, timesOfTests } from './random.ts';
import { formPost, type RawHttp } from './raw-http.ts';

const noSecret = { token_endpoint_auth_method: 'none' };
const secret = 'a plain secret of sixteen';

/** Clients of every kind that these grants tell apart. */
const clients: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  app: noSecret,
  web: { client_secret: secret },
  'web with post': { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
  jwt: { ...noSecret, access_token_strategy: 'jwt', audience: ['https://api.test'] },
  pairwise: { ...noSecret, subject_type: 'pairwise' },
  EdDSA: { ...noSecret, id_token_signed_response_alg: 'EdDSA' },
  RS256: { ...noSecret, id_token_signed_response_alg: 'RS256' },
  short: {
    ...noSecret,
    authorization_code_grant_access_token_lifespan: '90s',
    authorization_code_grant_id_token_lifespan: '80s',
    authorization_code_grant_refresh_token_lifespan: '70s',
    refresh_token_grant_access_token_lifespan: '2h',
    refresh_token_grant_refresh_token_lifespan: '1000h',
  },
  'with audience': { ...noSecret, audience: ['https://api.test', 'https://other.test'] },
  'without openid': { ...noSecret, scope: 'offline_access profile' },
  'without refresh tokens': { ...noSecret, grant_types: ['authorization_code'] },
  bound: { ...noSecret, dpop_bound_access_tokens: true },
};

const subjectIdentifiers = {
  supportedTypes: ['public' as const, 'pairwise' as const],
  pairwise: { salt: 'x'.repeat(16) },
};

const configurations: Readonly<Record<string, StartOptions['config']>> = {
  'as it is by default': { oidc: { subjectIdentifiers } },
  'with JWTs, claims that have to be asked for, and no grace': {
    oidc: { subjectIdentifiers },
    tokens: { accessTokenStrategy: 'jwt', idTokenClaims: 'requested', refreshGraceSeconds: 0, scopeClaim: 'list' },
  },
  'with every feature on': {
    ...everyFeature,
    oidc: { subjectIdentifiers },
    tokens: { refreshGraceReuseCount: 2, scopeStrategy: 'wildcard' },
  },
};

type Params = readonly (readonly [string, string])[];

const more: Params = [
  ['scope', 'openid'],
  ['scope', 'openid offline_access profile email'],
  ['scope', 'unheard_of'],
  ['resource', 'https://api.test'],
  ['audience', 'https://api.test'],
  ['client_secret', 'wrong'],
  ['client_assertion', 'ey.ey.ey'],
  ['authorization_details', '[]'],
  ['grant_type', 'client_credentials'],
  ['nonce', 'other'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
];

const headers = oddHeaders.filter(([name]) => name !== 'Expect');

const otherValue = (random: Random, value: string): string =>
  random.oneIn(2) ? random.pick(oddValues) : spoilt(random, value);

/** One of the parameters is not as it should be, or there is one too many. */
const tampered = (random: Random, params: Params): Params => {
  const at = random.whole(params.length);
  const change = random.whole(4);
  if (change === 0) return [...params, random.pick(more)];
  return params.flatMap((pair, index): Params => {
    if (index !== at) return [pair];
    if (change === 1) return [];
    const other = [pair[0], otherValue(random, pair[1])] as const;
    return change === 2 ? [other] : [pair, random.oneIn(2) ? pair : other];
  });
};

/** A request of a client, more often than not as it should be. */
const requestOf = (random: Random, client: TestClient, params: Params): RawHttp => {
  const isBasic = client.secret !== undefined && clients[client.id]?.token_endpoint_auth_method === undefined;
  const basic = Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret ?? '')}`);
  const own: Params = isBasic ? [] : [['client_id', client.id]];
  const posted: Params = isBasic || client.secret === undefined ? [] : [['client_secret', client.secret]];
  const all = [...params, ...own, ...posted];
  // One that is cut off has no answer that would name its tokens.
  const { contentLength: _wrong, ...request } = sendForm(random, '/oauth2/token', {
    params: random.oneIn(4) ? tampered(random, all) : all,
    headers: [
      ...(isBasic ? [['Authorization', `Basic ${basic.toString('base64')}`] as const] : []),
      ...(random.oneIn(12) ? [random.pick(headers)] : []),
    ],
  });
  return request;
};

const seedOf = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), seedOfTests);

/** The same random choices for both sides. */
const forBoth = (seed: number, make: (random: Random, side: Side) => RawHttp) => (side: Side) =>
  make(createRandom(seed), side);

describe.each(Object.keys(configurations))('codes and refresh tokens %s', (name) => {
  const random = createRandom(seedOf(name));
  const registered: TestClient[] = [];
  const answers: BothAnswers[] = [];
  const sids = { live: '11111111-1111-8111-8111-111111111111', ended: '22222222-2222-8222-8222-222222222222' };
  let pair: Pair;
  let mint: ReturnType<typeof createMint>;

  beforeAll(async () => {
    pair = await startPair({ config: configurations[name] });
    mint = createMint(pair.issuer);
    const now = Math.floor(Date.now() / 1000);
    const login = { subject: 'alice', authTime: now, remember: true };
    const claims = Object.values(sids).map((sid) => sessionRecord({ sid, login, endsAt: now + 1_000_000, place: {} }));
    await pair.arrange(async (instance) => {
      await instance.adapter.commit(claims.map((record) => ({ type: 'claim', record })));
      const ended = claims[1] as (typeof claims)[number];
      await instance.adapter.commit([{ type: 'consume', key: ended, at: new Date() }]);
    });
    for (const [id, metadata] of Object.entries(clients))
      registered.push(await pair.arrange((instance) => registerClient(instance, id, metadata)));
  });
  afterAll(() => pair.stop());

  const ask = async (client: TestClient, paramsOf: (side: Side) => Params): Promise<BothAnswers> => {
    const asked = forBoth(random.whole(2 ** 31), (own, side) => requestOf(own, client, paramsOf(side)));
    const answer = await pair.bothAnswer(asked);
    expect(answer.difference, `CARNET_TEST_SEED=${seedOfTests}, request ${answers.length}`).toBeUndefined();
    answers.push(answer);
    return answer;
  };

  const tokenIn = (answer: BothAnswers, side: Side): string | undefined =>
    answer[side].status === 200
      ? (JSON.parse(answer[side].text) as { refresh_token?: string }).refresh_token
      : undefined;

  /** Refreshes again and again, with a token that was used before now and then. */
  const goOn = async (client: TestClient, first: BothAnswers): Promise<void> => {
    const line = [first];
    while (line.length < 6 && !random.oneIn(4)) {
      const from = random.oneIn(4) ? random.pick(line) : (line.at(-1) as BothAnswers);
      const other = random.oneIn(20) ? random.pick(registered) : client;
      const next = await ask(other, (side) => [
        ['grant_type', 'refresh_token'],
        ['refresh_token', tokenIn(from, side) ?? ''],
      ]);
      if (tokenIn(next, 'fast') !== undefined) line.push(next);
      if (random.oneIn(4)) pair.passTime(random.pick([1, 5, 9, 30, 100]));
    }
  };

  it('are taken as oidc-provider takes them', async () => {
    for (let flows = 0; flows < 150 * timesOfTests; flows++) {
      const client = random.pick(registered);
      const sid = random.oneIn(5) ? sids.ended : sids.live;
      const flow = decidedFlow(random, { clientId: client.id, sid, now: Math.floor(Date.now() / 1000) });
      const params: Params = [
        ['grant_type', 'authorization_code'],
        ['code', mint(flow)],
        ['redirect_uri', redirectUri],
        ...(flow.params.code_challenge === undefined ? [] : [['code_verifier', codeVerifier] as const]),
      ];
      const redeemer = random.oneIn(20) ? random.pick(registered) : client;
      const first = await ask(redeemer, () => params);
      if (tokenIn(first, 'fast') !== undefined) await goOn(redeemer, first);
      if (random.oneIn(5)) await ask(redeemer, () => params);
    }
    await pair.assertSameMetrics();
    const good = answers.filter(({ library }) => library.status === 200);
    const fast = good.filter(({ isFast }) => isFast);
    // The rest sends secrets that are verified for the first time, or malformed forms.
    expect(fast.length).toBeGreaterThan(good.length * 0.8);
  });
});

describe('codes and refresh tokens, while the store fails', () => {
  const faults: Faults[] = [];
  let pair: Pair;
  let app: TestClient;
  let refreshTokens: Readonly<Record<Side, string>>;

  const codeParams = (): Params => {
    const now = Math.floor(Date.now() / 1000);
    const flow: FlowState = {
      id: createFlowId(Date.now()),
      expiresAt: now + 600,
      params: { client_id: app.id, redirect_uri: redirectUri, response_type: 'code' },
      login: { subject: 'alice', authTime: now, remember: false },
      consent: {
        scopes: ['openid', 'offline'],
        audience: [],
        remember: false,
        handledAt: now,
        registration: testRegistration,
      },
    };
    const code = createMint(pair.issuer)(flow);
    return [
      ['grant_type', 'authorization_code'],
      ['code', code],
      ['redirect_uri', redirectUri],
      ['client_id', app.id],
    ];
  };
  const refreshParams = (side: Side): Params => [
    ['grant_type', 'refresh_token'],
    ['refresh_token', refreshTokens[side]],
    ['client_id', app.id],
  ];
  const post = (params: Params): RawHttp =>
    formPost('/oauth2/token', new URLSearchParams(Object.fromEntries(params)).toString());

  beforeAll(async () => {
    pair = await startPair({
      openAdapter: () => {
        const faulty = faultyAdapter();
        faults.push(faulty.faults);
        return faulty.adapter;
      },
    });
    app = await pair.arrange((instance) => registerClient(instance, 'app', noSecret));
    const code = post(codeParams());
    const { fast, library } = await pair.bothAnswer(code);
    const tokenIn = ({ text }: { readonly text: string }) => String((JSON.parse(text) as Json).refresh_token);
    refreshTokens = { fast: tokenIn(fast), library: tokenIn(library) };
  });
  afterAll(() => pair.stop());

  it.each([
    ['commit', () => post(codeParams())],
    ['commit', () => (side: Side) => post(refreshParams(side))],
    ['read refresh_token', () => (side: Side) => post(refreshParams(side))],
  ] as const)('are answered alike when %s fails, and not tried again', async (operation, requestOf) => {
    for (const each of faults) each.failNext(operation);
    const answers = await pair.bothAnswer(requestOf());
    expect(answers.difference).toBeUndefined();
    expect([answers.fast.status, answers.isFast]).toEqual([503, true]);
  });
});
