import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../api-document.ts';
import { type Pair, type PairOptions, startPair } from './pair.ts';
import { createRandom, type Random, seedOfTests, timesOfTests } from './random.ts';
import type { RawHttp } from './raw-http.ts';

const openid = '/.well-known/openid-configuration';
const documents = [openid, '/.well-known/oauth-authorization-server', '/.well-known/jwks.json'];

/** Each of these is plain by itself, or not. */
const oddHeaders: readonly (readonly [string, string])[] = [
  ['Origin', 'https://spa.example'],
  ['Origin', 'null'],
  ['Origin', ''],
  ['Accept', 'application/xml'],
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, br'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  ['Range', 'bytes=0-9'],
  ['Cookie', '_session=a; _interaction=b'],
  ['Authorization', 'Bearer carnet_at_none'],
  ['DPoP', 'eyJ.eyJ.x'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', 'mine'],
  ['X-Forwarded-Proto', 'https'],
  ['Access-Control-Request-Method', 'GET'],
  ['Connection', 'Upgrade'],
];

const spellings: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '//'),
  (path) => path.replace('.', '%2e'),
  (path) => path.slice(0, -1),
  (path) => `/x/..${path}`,
];

const queries = ['?', '?x=1', '?format=xml&format=json', '?%', `?${'a'.repeat(9_000)}`, '#fragment'];

const generate = (random: Random, basePath: string): RawHttp => {
  const plain = basePath + random.pick(documents);
  const path = random.oneIn(6) ? random.pick(spellings)(plain) : plain;
  const target = path + (random.oneIn(4) ? random.pick(queries) : '');
  const method = random.oneIn(4) ? random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'TRACE', 'QUERY']) : 'GET';
  const headers = random.shuffled(oddHeaders).slice(0, random.pick([0, 0, 0, 1, 2, 4]));
  return { method, target, headers, ...(random.oneIn(8) ? { body: 'grant_type=x&a=%zz' } : {}) };
};

const configurations: Readonly<Record<string, () => PairOptions>> = {
  'as it is by default': () => ({}),
  'with everything on': () => {
    const { issuer, http, ...config } = everything();
    return { config };
  },
  "cut down to Hydra's members": () => ({ config: { oidc: { discovery: 'hydra', supportedClaims: ['roles'] } } }),
  'below a path': () => ({ path: '/op' }),
};

describe.each(Object.entries(configurations))('the documents, %s', (_name, optionsOf) => {
  let pair: Pair;
  let basePath: string;
  beforeAll(async () => {
    pair = await startPair(optionsOf());
    basePath = new URL(pair.issuer).pathname.replace(/\/$/, '');
    for (const path of documents) await pair.bothAnswer({ target: basePath + path });
  });
  afterAll(() => pair.stop());

  it.each(documents)('GET %s is answered in front of oidc-provider, and as by it', async (path) => {
    const answers = await pair.bothAnswer({ target: basePath + path });
    expect(answers.difference).toBeUndefined();
    expect([answers.fast.status, answers.isFast]).toEqual([200, true]);
  });

  it(`makes no difference, whatever is sent (seed ${seedOfTests})`, async () => {
    const random = createRandom(seedOfTests);
    let fast = 0;
    for (let count = 0; count < 300 * timesOfTests; count += 1) {
      const answers = await pair.bothAnswer(generate(random, basePath));
      expect(answers.difference).toBeUndefined();
      if (answers.isFast) fast += 1;
    }
    expect(fast).toBeGreaterThan(60 * timesOfTests);
    await pair.assertSameMetrics();
  });
});
