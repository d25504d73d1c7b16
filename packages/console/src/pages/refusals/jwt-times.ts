import type { JWTPayload } from 'jose';
import type { Compared } from './shown-values.ts';

/** The difference of clocks that is accepted, in seconds. */
const skewSeconds = 30;

export const isInTime = ({ exp, nbf, iat }: JWTPayload, nowSeconds: number): boolean =>
  typeof exp === 'number' &&
  exp > nowSeconds - skewSeconds &&
  [nbf, iat].every((at) => at === undefined || (typeof at === 'number' && at <= nowSeconds + skewSeconds));

/** Undefined for a value that is no time. */
export const timeIn = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) < 8.64e12 ? new Date(value * 1_000).toISOString() : undefined;

/** The times of a token beside the present one. */
export const timeValues = ({ exp, nbf, iat }: JWTPayload, nowMs: number): Compared => {
  const named = Object.entries({ exp, nbf, iat }).flatMap(([name, value]) => {
    const time = timeIn(value);
    return time === undefined ? [] : [`${name}: ${time}`];
  });
  return { given: named, expected: [`now: ${new Date(nowMs).toISOString()}`] };
};
