import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiDocument, everything, type Operation } from '../api-document.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { discovery } from '../call.ts';
import { timesOfTests } from '../generated/random.ts';
import { rawRequest } from '../raw-request.ts';

/** Every route of both listeners, taken from what they say of themselves, and what no client sends: refused, never a bug or an outage. */

/** A database that has no such characters: what reaches it is an error of its own, as with Postgres. */
const choking = (adapter: StorageAdapter): StorageAdapter => {
  const storable = <T>(value: T): T => {
    const text = JSON.stringify(value);
    if (/\\u0000|\\ud[89a-f]/i.test(text)) throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
    return value;
  };
  return {
    ...adapter,
    read: async (keys) => adapter.read(storable(keys)),
    commit: async (writes) => adapter.commit(storable(writes)),
    list: async (query) => adapter.list(storable(query)),
  };
};

const { issuer: _issuer, keys: _keys, ...config } = everything();
const { paths } = await apiDocument();

const instance = startBeforeTests({
  config: config as never,
  adapter: choking(openMemoryAdapter()),
  mount: (carnet) => carnet.standalone(),
});
registerBeforeTests(instance, 'app');

const answerTo = async (url: string, options: Parameters<typeof rawRequest>[1]): Promise<number> => {
  // Said for every method: of GET and HEAD a client would send a body without.
  const length = Buffer.byteLength(options?.body ?? '');
  const sent = { ...options?.headers, ...(length > 0 && { 'content-length': String(length) }) };
  const { status, headers, text } = await rawRequest(url, { ...options, headers: sent });
  if (status >= 500) throw new Error(`${options?.method} ${url.slice(0, 200)}: ${status} ${text}`);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toContain('aaaaaaaaaa');
  return status;
};

const big = 'a'.repeat(20_000);
const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;

/** Bodies, and the type that a stranger may say they are of. */
type OddBody = [what: string, body: string | Buffer, headers?: Readonly<Record<string, string>>];
const oddBodies: OddBody[] = [
  ['JSON 2,000 deep', deep],
  ['JSON 2,000 deep in a member', `{"subject":${deep},"client_name":${deep},"keys":${deep},"issuer":${deep}}`],
  ['a value of 300 KB', `{"subject":"${'a'.repeat(300_000)}"}`],
  ['100,000 elements', `[${'1,'.repeat(100_000)}1]`],
  ['__proto__', '{"__proto__":{"subject":"a"}}'],
  ['a member twice', '{"subject":"a","subject":"b"}'],
  ['\\u0000', '{"subject":"\\u0000","client_name":"\\u0000","token":"\\u0000","issuer":"\\u0000","alg":"\\u0000"}'],
  ['a lone surrogate', '{"subject":"\\ud800","client_name":"\\ud800","issuer":"\\ud800","alg":"\\ud800"}'],
  ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a compressed body', '{}', { 'content-encoding': 'gzip' }],
  ['a form with a NUL', 'token=%00&client_id=%00&subject=%00'],
  ['a form that is no UTF-8', 'token=%ff%fe&client_id=%ff'],
  ['a parameter of 20 KB', `token=${big}&client_id=${big}`],
  ['a thousand parameters', Array.from({ length: 1_000 }, (_, i) => `a${i}=b`).join('&')],
  ['null', 'null'],
  ['a number', '1'],
];

/** What is well formed, and means something to one route or another. */
const emptyBodies: OddBody[] = [
  ['a list', '[]'],
  ['nothing', ''],
];

const oddValues: readonly (readonly [string, string])[] = [
  ['a NUL', 'a%00b'],
  ['a line break', 'a%0d%0ab'],
  ['what is no UTF-8', '%ed%a0%80%ff'],
  ['a broken escape', '%zz%'],
  // In every parameter of a route it is still shorter than what Node.js accepts as the head of a request, 16 KB.
  // Nine parameters of this length fit into the 16 KB of headers that Node.js reads.
  ['1.5 KB', 'a'.repeat(1_500)],
  ['__proto__', '__proto__'],
  ['two dots', '..%2f..%2fetc'],
];

const adminRoutes = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const filled = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);
const queryOf = ({ parameters }: Operation, value: string): string =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `${name}=${value}`)
    .join('&');

/** Every endpoint that the discovery document names, and those that it has no member for. */
const discover = async (): Promise<readonly string[]> => {
  const named = Object.entries(await discovery(instance))
    .filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri')
    .map(([, url]) => new URL(String(url)).pathname);
  return [...named, '/oauth2/register/app', '/oauth2/device/verify', '/.well-known/openid-configuration'];
};

const ways = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];
const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain'];
const names = ['client_id', 'state', 'request_uri', 'login_verifier', 'user_code', 'id_token_hint'];

/** A share of the items, and others with the next number. The slow tests take all. */
const shareOf = <T>(items: readonly T[], at: number): readonly T[] => {
  const every = Math.min(Math.round(1 / timesOfTests), items.length);
  return items.filter((_, index) => (index + at) % every === 0);
};

describe('every public endpoint', () => {
  let found: readonly string[];
  beforeAll(async () => {
    found = await discover();
    expect(found.length).toBeGreaterThan(12);
  });

  test.each(oddValues)('refuses %s in a query, and as the name of a parameter', async (_what, value) => {
    for (const path of found) {
      for (const name of [...names, value]) await answerTo(`${instance.issuer}${path}?${name}=${value}`, {});
    }
  });

  test.each<OddBody>([...oddBodies, ...emptyBodies])(
    'refuses %s, by every method and of every type',
    async (_what, body, headers) => {
      for (const [at, path] of found.entries()) {
        for (const [index, method] of ways.entries()) {
          for (const type of shareOf(types, at + index)) {
            const sent = { 'content-type': type, ...headers };
            await answerTo(instance.issuer + path, { method, headers: sent, body: body as string });
          }
        }
      }
    },
  );

  test.each([
    ['a NUL', 'client_id=app&x=%00', 400],
    ['a name with a line break', 'client_id=app&x%0d%0a=1', 400],
    ['a parameter of 20 KB', `client_id=app&x=${big}`, 400],
    ['a thousand parameters', Array.from({ length: 1_000 }, (_, i) => `a${i}=b`).join('&'), 400],
    ['a body of 300 KB', `client_id=app&x=${'a'.repeat(300_000)}`, 413],
  ])('an endpoint for forms refuses one with %s before it asks the store', async (_what, body, expected) => {
    instance.calls.reset();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const statuses = await Promise.all(
      found.map((path) => answerTo(instance.issuer + path, { method: 'POST', headers, body })),
    );
    const taken = statuses.filter((status) => status !== 405);
    expect(taken.length).toBeGreaterThan(7);
    expect(new Set(taken)).toEqual(new Set([expected]));
    const { reads, commits } = instance.calls;
    // Events of earlier requests are written some time later.
    const others = commits.filter((writes) =>
      writes.some((write) => !('record' in write) || write.record.kind !== 'event'),
    );
    expect([...reads, ...others]).toEqual([]);
  });

  test('refuses another host', async () => {
    for (const path of found) {
      expect(await answerTo(instance.issuer + path, { headers: { host: 'evil.test' } })).toBe(421);
    }
  });
});

test('there are more than forty admin routes', () => {
  expect(adminRoutes.length).toBeGreaterThan(40);
});

interface Case {
  readonly what: string;
  readonly send: () => Promise<number>;
  readonly isRight: (status: number) => boolean;
}

const isNoBug = (status: number): boolean => status < 500;

/** All that is sent to one route. */
const casesOf = ({ method, path, operation }: (typeof adminRoutes)[number]): readonly Case[] => {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const to = (value: string, query: string) => `${instance.admin}${filled(path, value)}?${queryOf(operation, query)}`;
  const readsJson = operation.requestBody?.content['application/json'] !== undefined;
  return [
    ...oddValues.map(([what, value]) => ({
      what: `${what} as a value`,
      send: () => answerTo(to(value, value), { method, body: hasBody ? '{}' : undefined }),
      isRight: isNoBug,
    })),
    ...(hasBody ? oddBodies : []).map(([what, body, headers]) => ({
      what,
      send: () => answerTo(to('app', 'x'), { method, headers, body: body as string }),
      isRight: (status: number) => isNoBug(status) && (!readsJson || status >= 400),
    })),
    ...emptyBodies.map(([what, body]) => ({
      what,
      send: () => answerTo(instance.admin + filled(path, 'nobody'), { method, body: body as string }),
      isRight: isNoBug,
    })),
    {
      what: 'another host',
      send: () => answerTo(to('app', ''), { method, headers: { host: 'evil.test' } }),
      isRight: (status) => status === 421,
    },
    {
      what: 'another method',
      send: () => answerTo(to('app', ''), { method: 'TRACE' }),
      isRight: (status) => status === 405,
    },
  ];
};

test.each(
  adminRoutes.map((route, at) => ({
    ...route,
    cases: shareOf(casesOf(route), at),
  })),
)('$method $path refuses, or bears, whatever no client sends', async ({ cases }) => {
  const wrong: string[] = [];
  for (const { what, send, isRight } of cases) {
    const status = await send().catch((error: unknown) => String(error));
    if (typeof status === 'string' || !isRight(status)) wrong.push(`${what}: ${status}`);
  }
  expect(wrong).toEqual([]);
});
