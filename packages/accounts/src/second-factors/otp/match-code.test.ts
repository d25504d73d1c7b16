import { describe, expect, it } from 'vitest';
import { defaultParameters, hotp } from './hotp.ts';
import { matchCode, matchConsecutive, type OtpState } from './match-code.ts';

const secret = Buffer.from('12345678901234567890');
const now = 1_790_000_000_000;
const step = Math.floor(now / 30_000);
const codeAt = (counter: number): string => hotp(secret, counter);
const totp = (members: Partial<OtpState> = {}): OtpState => ({
  kind: 'totp',
  secret,
  parameters: defaultParameters,
  counter: -1,
  driftSteps: 0,
  ...members,
});
const counterBased = (counter: number): OtpState => totp({ kind: 'hotp', counter });

describe('a TOTP code', () => {
  it.each([
    [-2, undefined],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, undefined],
  ])('of the step at distance %i gives %j', (distance, expected) => {
    expect(matchCode(totp(), codeAt(step + distance), now)).toBe(expected);
  });

  it('a code is refused at or before the last accepted step', () => {
    const state = totp({ counter: step });
    expect([-1, 0, 1].map((distance) => matchCode(state, codeAt(step + distance), now))).toEqual([
      undefined,
      undefined,
      step + 1,
    ]);
  });

  it('a code is searched around the drift of the device', () => {
    const state = totp({ driftSteps: 7 });
    expect(matchCode(state, codeAt(step), now)).toBeUndefined();
    expect(matchCode(state, codeAt(step + 8), now)).toBe(step + 8);
  });
});

describe('an HOTP code', () => {
  it.each([
    [0, undefined],
    [1, 41],
    [10, 50],
    [11, undefined],
  ])('%i counters ahead gives %j', (distance, expected) => {
    expect(matchCode(counterBased(40), codeAt(40 + distance), now)).toBe(expected);
  });
});

describe('two consecutive codes', () => {
  it.each([-10, 0, 10])('of a clock that is %i steps off give the drift', (distance) => {
    const codes = [codeAt(step + distance - 1), codeAt(step + distance)] as const;
    expect(matchConsecutive(totp(), codes, now)).toEqual({ counter: step + distance, driftSteps: distance });
  });

  it.each([
    ['too far away', [codeAt(step + 11), codeAt(step + 12)]],
    ['in reverse order', [codeAt(step), codeAt(step - 1)]],
    ['with a gap', [codeAt(step - 2), codeAt(step)]],
    ['that are equal', [codeAt(step), codeAt(step)]],
    ['of which one is malformed', [codeAt(step - 1), 'abcdef']],
  ] as const)('%s are refused', (_title, [first, second]) => {
    expect(matchConsecutive(totp(), [first, second], now)).toBeUndefined();
  });

  it('are refused if the first one was accepted before', () => {
    const codes = [codeAt(step - 1), codeAt(step)] as const;
    expect(matchConsecutive(totp({ counter: step - 1 }), codes, now)).toBeUndefined();
  });

  it('find a counter up to 1,000 ahead', () => {
    const codesAt = (counter: number) => [codeAt(counter), codeAt(counter + 1)] as const;
    expect(matchConsecutive(counterBased(5), codesAt(1_005), now)).toEqual({ counter: 1_006, driftSteps: 0 });
    expect(matchConsecutive(counterBased(5), codesAt(1_006), now)).toBeUndefined();
  });
});
