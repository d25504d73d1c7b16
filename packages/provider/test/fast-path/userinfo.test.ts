import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../clients.ts';
import type { Faults } from '../faults.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import type { Instance, StartOptions } from '../harness.ts';
import { introspect, type Json, login, token } from '../login.ts';
import { everyFeature } from './every-feature.ts';
import { oddHeaders, spoilt } from './hostile.ts';
import { type Pair, startPair } from './pair.ts';
import { createRandom, type Random, seedOfTests, timesOfTests } from './random.ts';
import type { RawHttp } from './raw-http.ts';

/** Clients of every kind that the endpoint tells apart. */
const clients: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plain: {},
  public: { token_endpoint_auth_method: 'none' },
  jwt: { access_token_strategy: 'jwt' },
  pairwise: { subject_type: 'pairwise' },
  'pairwise jwt': { subject_type: 'pairwise', access_token_strategy: 'jwt' },
  signed: { userinfo_signed_response_alg: 'ES256' },
  unsigned: { userinfo_signed_response_alg: 'none' },
  deleted: {},
  again: {},
  'taken back': {},
  'taken back jwt': { access_token_strategy: 'jwt' },
  narrowed: {},
  revoked: {},
  'revoked jwt': { access_token_strategy: 'jwt' },
};

const claims = {
  name: 'Alice Ünicode',
  roles: ['a', 'b'],
  sub: 'mallory',
  iss: 'x',

  address: { a: 1 },
};

/** What people have decided: each ends in a token of its own. */
const decisions: readonly Parameters<typeof login>[2][] = [
  {},
  { subject: 'bob "the" <builder>\\', consent: { session: { id_token: claims, access_token: { ext: 1 } } } },
  { login: { force_subject_identifier: 'forced', acr: 'high', amr: ['pwd'] } },
  { consent: { grant_scope: ['openid'] } },
  { consent: { grant_scope: ['profile'] } },
  { params: { acr_values: 'high' } },
  { params: { claims: '{"userinfo":{"email":{"essential":true},"name":null},"id_token":{"acr":null}}' } },
];

const configurations: Readonly<Record<string, StartOptions['config']>> = {
  'as it is by default': {},
  'with the members that Hydra adds': {},
  'with every feature on': {
    ...everyFeature,
    features: { ...everyFeature.features, mtls: { enabled: true } } as never,
    tokens: { scopeStrategy: 'wildcard' },
  },
};

const userinfos: Readonly<Record<string, 'standard' | 'hydra'>> = { 'with the members that Hydra adds': 'hydra' };

const oidc = {
  subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a-salt-of-the-tests' } },
};

const registerAll = async (pair: Pair): Promise<readonly string[]> => {
  const values: string[] = [];
  for (const [id, metadata] of Object.entries(clients)) {
    const client = await pair.arrange((instance) => registerClient(instance, id, metadata));
    for (const each of decisions) {
      const tokens: Json = await pair.arrange((instance) => login(instance, client, each));
      values.push(...[tokens.access_token, tokens.refresh_token, tokens.id_token].filter(Boolean).map(String));
    }
    if (client.secret === undefined) continue;
    const own = await pair.arrange((instance) => token(instance, client, { grant_type: 'client_credentials' }));
    if (own.body.access_token) values.push(String(own.body.access_token));
  }
  return values;
};

const admin = async (instance: Instance, method: string, path: string, body?: object): Promise<void> => {
  const response = await fetch(instance.admin + path, { method, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
};

/** What ends tokens, done on both sides: each has a cache of its own. */
const endSome = async (pair: Pair, values: readonly string[]): Promise<void> => {
  for (const instance of Object.values(pair.sides)) {
    await admin(instance, 'DELETE', '/admin/clients/deleted');
    await admin(instance, 'DELETE', '/admin/clients/again');
    for (const id of ['taken%20back', 'taken%20back%20jwt'])
      await admin(instance, 'DELETE', `/admin/oauth2/tokens?client_id=${id}`);
    await admin(instance, 'PATCH', '/admin/clients/narrowed', [
      { op: 'replace', path: '/scope', value: 'profile' },
    ] as never);
  }
  for (const value of values) {
    const { client_id: id } = await introspect(pair.sides.library, value);
    if (id !== 'revoked' && id !== 'revoked jwt') continue;
    const body = new URLSearchParams({ token: value, client_id: id, client_secret: `secret of ${id}, long enough` });
    const authorization = `Basic ${Buffer.from(`${encodeURIComponent(id)}:${body.get('client_secret')}`).toString('base64')}`;
    await pair.arrange((instance) =>
      fetch(`${instance.issuer}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: value }),
        headers: { authorization },
      }),
    );
  }
};

const schemes = ['bearer', 'BEARER', 'DPoP', 'Basic', 'Bearer ', '', 'Bearer Bearer'];

const generate = (random: Random, values: readonly string[]): RawHttp => {
  const value = random.pick(values);
  const credential = random.oneIn(8) ? spoilt(random, value) : value;
  const scheme = random.oneIn(8) ? random.pick(schemes) : 'Bearer';
  const headers: (readonly [string, string])[] = random.oneIn(20)
    ? []
    : [['Authorization', `${scheme} ${credential}`.replace(/[\0\r\n]/g, '')]];
  if (random.oneIn(5)) headers.push(random.pick(oddHeaders.filter(([name]) => name !== 'Expect')));
  const odd = [`?access_token=${value}`, '?scope=openid', '?scope=openid%20email', '?x=1', '?'];
  const target = `/userinfo${random.oneIn(8) ? random.pick(odd) : ''}`;
  if (!random.oneIn(8)) return { target, headers: random.shuffled(headers) };
  return {
    method: random.pick(['GET', 'POST', 'HEAD', 'PUT']),
    target,
    headers,
    body: random.pick(['', `access_token=${value}`]),
  };
};

describe.each(Object.entries(configurations))('userinfo, %s', (name, config) => {
  const pair = beforeTests(() =>
    startPair({ config: { ...config, oidc: { ...oidc, userinfo: userinfos[name] } as never } }),
  );
  let values: readonly string[] = [];
  beforeAll(async () => {
    values = await registerAll(pair);
  });

  const compare = async (times: number): Promise<number> => {
    const random = createRandom(seedOfTests + times);
    let fast = 0;
    for (let count = 0; count < times * timesOfTests; count += 1) {
      const answers = await pair.bothAnswer(generate(random, values));
      expect(answers.difference).toBeUndefined();
      if (answers.isFast && answers.fast.status === 200) fast += 1;
    }
    return fast;
  };

  it('answers in front of oidc-provider who asks plainly, and as it does', async () => {
    let fast = 0;
    for (const value of values) {
      const answers = await pair.bothAnswer({ target: '/userinfo', headers: [['Authorization', `Bearer ${value}`]] });
      expect(answers.difference).toBeUndefined();
      if (answers.isFast) fast += 1;
      expect(answers.isFast && answers.fast.status !== 200).toBe(false);
    }
    expect(fast).toBeGreaterThan(values.length / 6);
  });

  it(`makes no difference, whatever is sent (seed ${seedOfTests})`, async () => {
    expect(await compare(500)).toBeGreaterThan(60 * timesOfTests);
  });

  it('makes none when tokens, grants and clients have come to their end', async () => {
    await endSome(pair, values);
    for (const value of values) {
      const request = { target: '/userinfo', headers: [['Authorization', `Bearer ${value}`]] } as const;
      expect((await pair.bothAnswer(request)).difference).toBeUndefined();
    }
    await pair.arrange((instance) => registerClient(instance, 'again'));
    expect(await compare(301)).toBeGreaterThan(5 * timesOfTests);
    pair.passTime(3_601);
    expect(await compare(202)).toBe(0);
  });
});

describe('userinfo, while the store fails', () => {
  const faults: Faults[] = [];
  const pair = beforeTests(() =>
    startPair({
      openAdapter: () => {
        const faulty = faultyAdapter();
        faults.push(faulty.faults);
        return faulty.adapter;
      },
    }),
  );

  it.each(['opaque', 'jwt'])('a request is refused temporarily, and not tried again: %s', async (strategy) => {
    const client = await pair.arrange((at) => registerClient(at, strategy, { access_token_strategy: strategy }));
    const { access_token: value } = await pair.arrange((at) => login(at, client));
    const request = { target: '/userinfo', headers: [['Authorization', `Bearer ${value}`]] } as const;
    await pair.bothAnswer(request);
    for (const each of faults) each.failNext('read');
    const refused = await pair.bothAnswer(request);
    expect(refused.difference).toBeUndefined();
    expect([refused.isFast, refused.fast.status, refused.fast.headers['retry-after']]).toEqual([true, 503, '1']);
    const answered = await pair.bothAnswer(request);
    expect([answered.difference, answered.isFast, answered.fast.status]).toEqual([undefined, true, 200]);
  });
});
