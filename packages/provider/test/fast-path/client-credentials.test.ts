import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../clients.ts';
import type { Faults } from '../faults.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import type { Instance, StartOptions } from '../harness.ts';
import { everyFeature } from './every-feature.ts';
import { basicHeader, escaped, oddHeaders, oddValues, sendForm, spoilt } from './hostile.ts';
import { type Pair, startPair } from './pair.ts';
import { createRandom, type Random, seedOfTests, timesOfTests } from './random.ts';
import { formPost, type RawHttp } from './raw-http.ts';

const secret = 'a plain secret of sixteen';

/** Clients of every kind that the endpoint tells apart. */
const clients: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  basic: { client_secret: secret },
  strict: { client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' },
  wide: { client_secret: 'ein Schlüssel – 鍵 🔑' },
  long: {
    client_secret: 'a secret that is longer than bcrypt reads, '.repeat(5),
    token_endpoint_auth_method: 'client_secret_post',
  },
  post: { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
  public: { token_endpoint_auth_method: 'none' },
  'odd id:+%&=/?': { client_secret: 'secret: +%&=/? with all that is odd' },
  jwt: { client_secret: secret, access_token_strategy: 'jwt', scope: 'openid photos.read photos.write' },
  short: { client_secret: secret, client_credentials_grant_access_token_lifespan: '90s' },
  audience: { client_secret: secret, audience: ['https://api.test', 'https://other.test'], scope: 'photos.*' },
  scopeless: { client_secret: secret, scope: '' },
  persons: { client_secret: secret, grant_types: ['authorization_code'] },
  bound: { client_secret: secret, dpop_bound_access_tokens: true },
};

const configurations: Readonly<Record<string, StartOptions['config']>> = {
  'as it is by default': {},
  'with JWTs, wildcards and claims of their own': {
    tokens: { accessTokenStrategy: 'jwt', scopeStrategy: 'wildcard', scopeClaim: 'list', excludeNotBeforeClaim: true },
  },
  'with every feature on': everyFeature,
};

const scopes = [
  'openid',
  'offline_access',
  'profile',
  'email',
  'photos.read',
  'photos.write',
  'photos.*',
  'unheard_of',
];

const scopeOf = (random: Random, id: string): string => {
  const registered = String(clients[id]?.scope || 'openid').split(' ');
  const some = random.shuffled(random.oneIn(6) ? scopes : registered).slice(0, 1 + random.whole(3));
  const text = (random.oneIn(5) ? [...some, ...some] : some).join(random.oneIn(12) ? '  ' : ' ');
  return random.oneIn(12) ? spoilt(random, text) : text;
};

const audiences = ['https://api.test', 'https://api.test https://other.test', 'https://evil.test', ''];

const oddParams: readonly (readonly [string, string])[] = [
  ['client_assertion', 'a.b.c'],
  ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
  ['client_id', 'basic'],
  ['resource', 'https://api.test'],
  ['resource', 'urn:a'],
  ['authorization_details', '[{"type":"a"}]'],
  ['code', 'carnet_ac_x'],
  ['unheard_of', 'x'],
  ['__proto__', 'x'],
  ['scope', 'openid'],
  ['grant_type', 'client_credentials'],
];

const grantTypeOf = (random: Random): string =>
  random.oneIn(15) ? random.pick(['refresh_token', 'password', ...oddValues]) : 'client_credentials';

const idOf = (random: Random): string =>
  random.oneIn(15) ? random.pick(['unheard_of', ...oddValues]) : random.pick(Object.keys(clients));

const secretOf = (random: Random, id: string): string => {
  const own = String(clients[id]?.client_secret ?? secret);
  return random.oneIn(8) ? random.pick(['wrong secret, long enough', own.slice(1), `${own}x`, ...oddValues]) : own;
};

const usesHeader = (random: Random, id: string): boolean => {
  const method = clients[id]?.token_endpoint_auth_method ?? 'client_secret_basic';
  return random.oneIn(10) ? random.oneIn(2) : method === 'client_secret_basic';
};

const hasSecret = (random: Random, id: string): boolean =>
  random.oneIn(10) ? random.oneIn(2) : clients[id]?.token_endpoint_auth_method !== 'none';

/** A request for a token, most of it as a client would send it. */
const generate = (random: Random): RawHttp => {
  const id = idOf(random);
  const inHeader = usesHeader(random, id);
  const sent = secretOf(random, id);
  const params: (readonly [string, string])[] = [['grant_type', grantTypeOf(random)]];
  if (!random.oneIn(3)) params.push(['scope', scopeOf(random, id)]);
  if (random.oneIn(id === 'audience' ? 2 : 9)) params.push(['audience', random.pick(audiences)]);
  if (!inHeader || random.oneIn(10)) params.push(['client_id', id]);
  if (!inHeader && hasSecret(random, id)) params.push(['client_secret', sent]);
  if (random.oneIn(12)) params.push(random.pick(oddParams));
  const headers = inHeader ? [basicHeader(random, id, sent)] : [];
  if (random.oneIn(12)) headers.push(random.pick(oddHeaders));
  return sendForm(random, '/oauth2/token', { params, headers });
};

const plainWith = (own: string): RawHttp =>
  formPost('/oauth2/token', 'grant_type=client_credentials&scope=openid+profile', [
    ['Authorization', `Basic ${Buffer.from(`basic:${escaped(own)}`).toString('base64')}`],
  ]);
const plain = plainWith(secret);

const rotate = async ({ admin }: Instance): Promise<string> => {
  const response = await fetch(`${admin}/admin/clients/basic/secrets/rotate`, { method: 'POST' });
  return ((await response.json()) as { client_secret: string }).client_secret;
};

describe('client credentials, while the store fails', () => {
  const faults: Faults[] = [];
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair({
      openAdapter: () => {
        const faulty = faultyAdapter();
        faults.push(faulty.faults);
        return faulty.adapter;
      },
    });
    await pair.arrange((at) => registerClient(at, 'basic', clients.basic));
    await pair.bothAnswer(plain);
  });
  afterAll(() => pair.stop());

  it('are refused for the time being, and not tried again', async () => {
    for (const each of faults) each.failNext('commit');
    const refused = await pair.bothAnswer(plain);
    expect(refused.difference).toBeUndefined();
    expect([refused.isFast, refused.fast.status, refused.fast.headers['retry-after']]).toEqual([true, 503, '1']);
    const granted = await pair.bothAnswer(plain);
    expect([granted.difference, granted.isFast, granted.fast.status]).toEqual([undefined, true, 200]);
  });

  it('of a client that is not known yet are refused for the time being', async () => {
    for (const each of faults) each.failNext('read client');
    const refused = await pair.bothAnswer(
      formPost('/oauth2/token', 'grant_type=client_credentials', [['Authorization', 'Basic Zm9vOmJhcg==']]),
    );
    expect(refused.difference).toBeUndefined();
    expect([refused.isFast, refused.fast.status]).toEqual([true, 503]);
  });
});

describe('client credentials, with secrets that were rotated', () => {
  it('are answered alike, and without oidc-provider where their hash is a fast one', async () => {
    const pair = await startPair();
    await pair.arrange((at) => registerClient(at, 'basic', clients.basic));
    const former = await pair.arrange(rotate);
    const latest = await pair.arrange(rotate);
    const answers = [await pair.bothAnswer(plainWith(latest)), await pair.bothAnswer(plainWith(former))];
    expect(answers.map(({ difference, isFast, fast }) => [difference, isFast, fast.status])).toEqual([
      [undefined, true, 200],
      [undefined, true, 200],
    ]);
    await pair.stop();
  });
});

describe('client credentials, where hooks are asked for tokens', () => {
  it('are answered alike, and by the fast path once the secret is known', async () => {
    const pair = await startPair({ hooks: { token: () => ({ claims: { accessToken: { role: 'machine' } } }) } });
    await pair.arrange((at) => registerClient(at, 'basic', clients.basic));
    const answers = [await pair.bothAnswer(plain), await pair.bothAnswer(plain)];
    expect(answers.map(({ difference, isFast }) => [difference, isFast])).toEqual([
      [undefined, false],
      [undefined, true],
    ]);
    await pair.stop();
  });
});

describe.each(Object.entries(configurations))('client credentials, %s', (_title, config) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair({ config });
    for (const [id, metadata] of Object.entries(clients)) await pair.arrange((at) => registerClient(at, id, metadata));
  });
  afterAll(() => pair.stop());

  it('are answered without oidc-provider once the secret is known', async () => {
    const [first, second] = [await pair.bothAnswer(plain), await pair.bothAnswer(plain)];
    expect([first.difference, second.difference]).toEqual([undefined, undefined]);
    expect([first.isFast, second.isFast, second.fast.status]).toEqual([false, true, 200]);
  });

  it(`are answered alike whatever is sent: seed ${seedOfTests}`, async () => {
    const random = createRandom(seedOfTests);
    const counts = { fast: 0, granted: 0 };
    for (let round = 0; round < 800 * timesOfTests; round++) {
      const answers = await pair.bothAnswer(generate(random));
      expect(answers.difference, `round ${round}`).toBeUndefined();
      if (answers.fast.status === 200) counts.granted++;
      if (answers.fast.status === 200 && answers.isFast) counts.fast++;
      if (random.oneIn(50)) pair.passTime(random.whole(40));
    }
    await pair.assertSameMetrics();
    expect(counts.fast).toBeGreaterThan(100 * timesOfTests);
    // Each secret's first use goes to the library: among fewer requests these weigh more.
    expect(counts.fast / counts.granted).toBeGreaterThan(timesOfTests < 1 ? 0.5 : 0.7);
  });
});
