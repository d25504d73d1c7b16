import { describe, expect, test } from 'vitest';
import { createCookieJar } from './cookies.ts';
import { createFlowId, sessionIdOf } from './flow-id.ts';
import { createKeyRing } from './key-ring.ts';

const secret = 'a secret of the cookie tests';
const keys = createKeyRing({ issuer: 'https://id.test', secrets: [secret] });
const jar = createCookieJar({ keys, issuer: 'https://id.test' });
const plainJar = createCookieJar({ keys, issuer: 'http://127.0.0.1:4444' });
const flowId = createFlowId(Date.now());
const sid = sessionIdOf(flowId);

/** What a browser sends back of a Set-Cookie line. */
const pairOf = (line: string): string => line.split(';', 1)[0] ?? '';

describe('attributes', () => {
  const lines = (of: typeof jar) => [
    of.flow.set(flowId, 1_800),
    of.flow.clear(flowId),
    of.session.set(sid, 60),
    of.session.clear(),
    of.consentHint.set(60),
    ...of.flow.evict(Array.from({ length: 30 }, () => pairOf(of.flow.set(createFlowId(0), 1))).join('; ')),
  ];

  test('on https every cookie is named __Host-, Secure, HttpOnly, SameSite=Lax, with Path=/ and no Domain', () => {
    for (const line of lines(jar)) {
      const [pair = '', ...attributes] = line.split('; ');
      expect(pair).toMatch(/^__Host-carnet_\w+/);
      expect(attributes.filter((attribute) => !attribute.startsWith('Max-Age=')).toSorted()).toEqual([
        'HttpOnly',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
    }
  });

  test('on http (development) there is neither prefix nor Secure, and the rest is the same', () => {
    for (const line of lines(plainJar)) {
      expect(line).toMatch(/^carnet_\w+/);
      expect(line).toContain('; HttpOnly');
      expect(line).not.toContain('Secure');
    }
  });

  test('what is cleared has no value and Max-Age=0', () => {
    for (const line of [jar.flow.clear(flowId), jar.session.clear()]) expect(line).toMatch(/=; Max-Age=0;/);
  });
});

describe('the flow cookie', () => {
  const pair = pairOf(jar.flow.set(flowId, 1_800));

  test('proves its own flow and no other', () => {
    expect(jar.flow.proves(pair, flowId)).toBe(true);
    expect(jar.flow.proves(`a=b; ${pair}; c=d`, flowId)).toBe(true);
    const other = createFlowId(Date.now());
    expect(jar.flow.proves(pair, other)).toBe(false);
    expect(jar.flow.proves(pair.replace(flowId, other), other)).toBe(false);
  });

  test('proves nothing when it is missing, empty, cut off or made with another secret', () => {
    const foreign = createCookieJar({
      keys: createKeyRing({ issuer: 'https://id.test', secrets: ['x'] }),
      issuer: 'https://id.test',
    });
    const headers = [
      undefined,
      '',
      `${pair.split('=')[0]}=`,
      pair.slice(0, -1),
      `${pair}A`,
      pairOf(foreign.flow.set(flowId, 1)),
    ];
    for (const header of headers) expect(jar.flow.proves(header, flowId), header).toBe(false);
  });

  test('two values of the cookie are refused, in any order: another site has set one', () => {
    const name = pair.split('=')[0];
    for (const tossed of [`${name}=`, `${name}=tossed`]) {
      expect(jar.flow.proves(`${pair}; ${tossed}`, flowId)).toBe(false);
      expect(jar.flow.proves(`${tossed};${pair}`, flowId)).toBe(false);
    }
  });

  test('two cookies with one value are accepted', () => {
    expect(jar.flow.proves(`${pair}; other=1; ${pair}`, flowId)).toBe(true);
  });

  test('a cookie without the __Host- prefix is ignored on https', () => {
    expect(jar.flow.proves(pair.replace('__Host-', ''), flowId)).toBe(false);
  });

  test('of another purpose does not count', () => {
    expect(jar.flow.proves(`__Host-carnet_flow_${flowId}=${keys.mac('session_cookie', flowId)}`, flowId)).toBe(false);
  });
});

describe('the session cookie', () => {
  const pair = pairOf(jar.session.set(sid, 60));

  test('names its session, before and after rotating the secret', () => {
    expect(jar.session.read(pair)).toBe(sid);
    const rotated = createKeyRing({ issuer: 'https://id.test', secrets: ['a new secret of the tests', secret] });
    expect(createCookieJar({ keys: rotated, issuer: 'https://id.test' }).session.read(pair)).toBe(sid);
  });

  test('proves nothing when it is forged, comes with two values, or was made for something else', () => {
    const [name] = pair.split('=');
    const values = [
      `${sid}.${keys.mac('flow_cookie', sid)}`,
      `${sid}.`,
      sid,
      '',
      `.${keys.mac('session_cookie', sid)}`,
    ];
    const headers = [
      ...values.map((value) => `${name}=${value}`),
      `${pair}.x`,
      `${pair}; ${pair}x`,
      `${name}=; ${pair}`,
    ];
    for (const header of headers) {
      expect(jar.session.read(header), header).toBeUndefined();
      expect(jar.session.present(header)).toBe(true);
    }
    expect(jar.session.read(`${pair}; ${pair}`)).toBe(sid);
    expect(jar.session.present('other=1')).toBe(false);
  });
});

describe('eviction', () => {
  const start = Date.UTC(2026, 6, 1);
  const ids = Array.from({ length: 30 }, (_, i) => createFlowId(start + i * 1_000));
  const headerOf = (flows: readonly string[]) => flows.map((id) => pairOf(jar.flow.set(id, 1))).join('; ');
  const evicted = (flows: readonly string[]) =>
    jar.flow.evict(headerOf(flows)).map((line) => line.split('=')[0]?.slice(-22));

  test('makes room for one more of 24, the oldest going first, in whatever order they come', () => {
    expect(evicted([])).toEqual([]);
    expect(evicted(ids.slice(0, 23))).toEqual([]);
    expect(evicted(ids.slice(0, 24))).toEqual([ids[0]]);
    expect(evicted(ids.toReversed()).toSorted()).toEqual(ids.slice(0, 7).toSorted());
  });

  test('leaves cookies that are not ours alone', () => {
    const others = Array.from({ length: 40 }, (_, i) => `__Host-carnet_flow_${i}=x; theirs_${i}=x`).join('; ');
    expect(jar.flow.evict(others)).toEqual([]);
    expect(jar.flow.evict(undefined)).toEqual([]);
  });

  test('keeps all flow cookies together under 2.5 KB of request header', () => {
    expect(headerOf(ids.slice(0, 24)).length).toBeLessThan(2_560);
  });
});
