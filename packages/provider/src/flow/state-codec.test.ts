import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createFlowId } from './flow-id.ts';
import type { FlowState } from './flow-state.ts';
import { decodeState, encodeReference, encodeState } from './state-codec.ts';

const base: FlowState = {
  id: createFlowId(Date.now()),
  expiresAt: 1_800_000_000,
  params: { client_id: 'app', response_type: 'code' },
};

const roundTrip = (state: FlowState): FlowState => {
  const decoded = decodeState(encodeState(state));
  if (decoded.isReference) throw new Error('a state came back as a reference');
  return decoded.state;
};

/** Random, and the same each time (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return { next, pick: <T>(list: readonly T[]): T => list[next(list.length)] as T };
};
type Random = ReturnType<typeof createRandom>;

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const characters = [...base64url, ...' .=+/%&?#"\\\'<>{}[]:,äßœ€漢字\u202e\u{1f600}\u{10ffff}\u2028\u0000\u007f'];
const textOf = (random: Random, alphabet: readonly string[], length: number): string =>
  Array.from({ length }, () => random.pick(alphabet)).join('');

const names = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'claims',
  'id_token_hint',
  'audience',
  'registration',
  'toString',
  'constructor',
  'ä parameter',
  '',
];
const lengths = [0, 1, 15, 16, 17, 18, 19, 20, 21, 22, 43, 64, 126, 127, 128, 129, 1_000, 16_384];
/** What is stored packed, what only looks as if it could be, and what could not. */
const values: readonly ((random: Random) => string)[] = [
  (random) => textOf(random, [...base64url], random.pick(lengths)),
  (random) => Buffer.from(textOf(random, characters, random.pick(lengths))).toString('base64url'),
  (random) => Buffer.from(textOf(random, [...base64url], random.pick(lengths))).toString('base64'),
  (random) =>
    createHash('sha256')
      .update(String(random.next(9)))
      .digest('hex'),
  (random) => textOf(random, characters, random.pick(lengths)),
  (random) => textOf(random, [...'0123456789abcdef'], random.pick(lengths)),
  (random) => Array.from({ length: 5 }, () => random.pick(['openid', 'email', 'x', '', 'consent'])).join(' '),
  () => 'code',
  () => 'S256',
];

const randomParams = (random: Random): Record<string, string> => {
  const params: Record<string, string> = { response_type: random.pick(['code', 'code id_token', '']) };
  if (random.next(2) === 0) params.code_challenge = textOf(random, [...base64url], 43);
  if (params.code_challenge !== undefined) params.code_challenge_method = random.pick(['S256', 'plain', '']);
  for (let i = random.next(8); i > 0; i--) params[random.pick(names)] = random.pick(values)(random);
  return params;
};

describe('round trips', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of random parameters: seed %i', (seed) => {
    const random = createRandom(seed);
    for (let i = 0; i < 100; i++) {
      const state: FlowState = { ...base, params: randomParams(random) };
      expect(roundTrip(state)).toStrictEqual(state);
    }
  });

  test('of text that looks like base64url but is not the one spelling of its bytes', () => {
    for (const state of [
      'AAAAAAAAAAAAAAAAB',
      'AAAAAAAAAAAAAAAAAZ',
      'abcdefghijklmnopqrstuvwx9',
      '-_'.repeat(20),
      '________________',
    ]) {
      expect(roundTrip({ ...base, params: { ...base.params, state } }).params.state).toBe(state);
    }
  });

  test('of words, known or not, however they are separated', () => {
    for (const scope of [
      'openid offline_access profile email',
      'openid  profile ',
      ' openid',
      'openid x openid',
      'consent',
      'openid \u0001',
      '\u0001',
      'openid\u0000profile openid',
    ]) {
      expect(roundTrip({ ...base, params: { ...base.params, scope } }).params.scope).toBe(scope);
    }
  });

  test('of hexadecimal digits in capitals, of an odd number, or mixed with others', () => {
    for (const state of [
      '0123456789ABCDEF',
      '0123456789abcdef0',
      '0123456789abcdef',
      '0123456789abcdefgh',
      'Aa'.repeat(8),
    ]) {
      expect(roundTrip({ ...base, params: { ...base.params, state } }).params.state).toBe(state);
    }
  });

  test('of every length around the limits of its encoding', () => {
    for (const length of [0, 1, 127, 128, 129, 16_383, 16_384, 16_385, 2_097_151, 2_097_152]) {
      const params = { ...base.params, state: '.'.repeat(length) };
      expect(roundTrip({ ...base, params })).toEqual({ ...base, params });
    }
  });

  test('of everything that can be decided', () => {
    const state: FlowState = {
      ...base,
      session: { sid: 'a-sid', subject: 'alice', authTime: 1, acr: '0', amr: ['pwd'] },
      skipLogin: true,
      login: {
        subject: 'älice \u{1f600}',
        authTime: 2,
        remember: true,
        rememberFor: 3,
        extendSession: true,
        acr: '',
        amr: [],
        identityProviderSessionId: 'idp',
        context: { deep: [null, 1.5, { a: 'b' }] },
      },
      skipConsent: false,
      consent: {
        scopes: ['openid'],
        audience: [],
        remember: false,
        rememberFor: 4,
        handledAt: 5,
        idToken: { name: 'Älice', nested: { a: [1] } },
        accessToken: {},
        context: 'text',
      },
      rejection: { error: 'access_denied', description: 'No.' },
    };
    expect(roundTrip(state)).toEqual(state);
  });

  test.each([1, 2, 3])('of a state that was decoded, with a decision or other parameters: seed %i', (seed) => {
    const random = createRandom(seed);
    for (let i = 0; i < 100; i++) {
      const opened = roundTrip({ ...base, params: randomParams(random) });
      const decided: FlowState = { ...opened, expiresAt: opened.expiresAt + 1, skipConsent: true };
      const fresh = encodeState({ ...decided, params: { ...decided.params } });
      expect(encodeState(decided).equals(fresh)).toBe(true);
      expect(roundTrip(decided)).toStrictEqual(decided);
      const changed: FlowState = { ...decided, params: { ...decided.params, state: 'another' } };
      expect(roundTrip(roundTrip(changed))).toStrictEqual(changed);
    }
  });

  test('of a decoded state without parameters', () => {
    const opened = roundTrip({ ...base, params: {} });
    expect(roundTrip({ ...opened, skipLogin: true })).toStrictEqual({ ...opened, skipLogin: true });
  });

  test('of a reference to a spilled state', () => {
    const recordName = 'AAAAAAAAAAAAAAAAAAAAAA';
    expect(decodeState(encodeReference(base.id, base.expiresAt, recordName))).toEqual({
      isReference: true,
      id: base.id,
      expiresAt: base.expiresAt,
      recordName,
    });
  });
});

describe('size', () => {
  test('a packed value takes three quarters of its text', () => {
    const sizeWith = (state: string) => encodeState({ ...base, params: { ...base.params, state } }).length;
    expect(sizeWith('A'.repeat(64)) - sizeWith('')).toBe(48);
    expect(sizeWith('.'.repeat(64)) - sizeWith('')).toBe(64);
  });

  test('a request without decisions carries none', () => {
    expect(encodeState(base)).toHaveLength(18 + 6 + 5);
  });
});

describe('what was opened is parsed like any input', () => {
  const decisions: Readonly<Record<string, unknown>> = {
    'a subject that is no text': { login: { subject: 1, authTime: 1, remember: false } },
    'an empty subject': { login: { subject: '', authTime: 1, remember: false } },
    'no subject': { login: { authTime: 1, remember: false } },
    'a time that is no number': { login: { subject: 'alice', authTime: 'now', remember: false } },
    'scopes that are no list': { consent: { scopes: 'openid', audience: [], remember: false, handledAt: 1 } },
    'scopes that are no texts': { consent: { scopes: [1], audience: [], remember: false, handledAt: 1 } },
    'claims that are a list': { consent: { scopes: [], audience: [], remember: false, handledAt: 1, idToken: [] } },
    'a session without subject': { session: { sid: 'a', authTime: 1 } },
    'a rejection that is text': { rejection: 'no' },
  };

  test.each(Object.entries(decisions))('a state with %s is refused', (_name, decision) => {
    expect(() => decodeState(encodeState({ ...base, ...(decision as object) }))).toThrow();
  });

  test('members that nobody knows are dropped, and none reaches a prototype', () => {
    const login = JSON.parse('{"subject":"alice","authTime":1,"remember":false,"__proto__":{"admin":true}}') as object;
    const state = roundTrip({ ...base, ...({ login, admin: true } as object) });
    expect(state.login).toEqual({ subject: 'alice', authTime: 1, remember: false });
    expect('admin' in state || 'admin' in (state.login as object)).toBe(false);
  });

  test('bytes that are cut off throw', () => {
    const bytes = encodeState({ ...base, login: { subject: 'alice', authTime: 1, remember: false } });
    expect(() => decodeState(bytes.subarray(0, bytes.length - 1))).toThrow();
    expect(() => decodeState(Buffer.from([1]))).toThrow();
  });
});
