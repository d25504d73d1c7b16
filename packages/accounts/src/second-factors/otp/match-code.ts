import { hotp, isEqual, normaliseCode, type OtpParameters, stepAt } from './hotp.ts';

/** The secret of a TOTP or HOTP factor, and its state. */
export interface OtpState {
  readonly kind: 'totp' | 'hotp';
  readonly secret: Uint8Array;
  readonly parameters: OtpParameters;
  /** The last accepted step or counter; -1 before the first code. */
  readonly counter: number;
  /** The steps by which the clock of a TOTP device is ahead, measured by the last resynchronisation. */
  readonly driftSteps: number;
}

const windowSteps = 1;
const lookAhead = 10;
const resyncSteps = 10;
const resyncLookAhead = 1_000;

/** Counters from the first to the last, without those that were accepted before: each counter is accepted once. */
const unused = (first: number, last: number, counter: number): readonly number[] => {
  const from = Math.max(first, counter + 1, 0);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
};

/** The counter or step of this code: at most one step of 30 s away, or at most 10 counters ahead. */
export const matchCode = (state: OtpState, code: string, now: number): number | undefined => {
  const { kind, secret, parameters, counter } = state;
  const typed = normaliseCode(code, parameters.digits);
  if (typed === undefined) return undefined;
  const step = stepAt(now, parameters.periodSeconds) + state.driftSteps;
  const candidates =
    kind === 'totp'
      ? unused(step - windowSteps, step + windowSteps, counter)
      : unused(counter + 1, counter + lookAhead, counter);
  return candidates.find((candidate) => isEqual(hotp(secret, candidate, parameters), typed));
};

/**
 * The counter of the second of two consecutive codes (RFC 4226, section 7.4): at most 10 steps away, or at most 1,000
 * counters ahead. Two codes make such a wide window safe: a guess of both succeeds once in 10^9 attempts.
 */
export const matchConsecutive = (
  state: OtpState,
  codes: readonly [string, string],
  now: number,
): { readonly counter: number; readonly driftSteps: number } | undefined => {
  const { kind, secret, parameters, counter } = state;
  const [first, second] = codes.map((code) => normaliseCode(code, parameters.digits));
  if (first === undefined || second === undefined) return undefined;
  const step = stepAt(now, parameters.periodSeconds);
  const candidates =
    kind === 'totp'
      ? unused(step - resyncSteps - 1, step + resyncSteps, counter)
      : unused(counter + 1, counter + resyncLookAhead, counter);
  const found = candidates.find(
    (candidate) =>
      isEqual(hotp(secret, candidate, parameters), first) && isEqual(hotp(secret, candidate + 1, parameters), second),
  );
  if (found === undefined) return undefined;
  return { counter: found + 1, driftSteps: kind === 'totp' ? found + 1 - step : 0 };
};
