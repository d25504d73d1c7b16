import type { UnverifiedJws } from './read-jws.ts';

type Claims = UnverifiedJws['claims'];

const isTime = (claim: unknown): claim is number | undefined => claim === undefined || typeof claim === 'number';

/**
 * Whether `exp` is in the future and `nbf` in the past, if they are present, and all times are numbers (RFC 7519, section 4.1).
 *
 * @param seconds since 1970
 * @param skew seconds by which the clocks of two parties may differ
 */
export const isCurrent = ({ exp, nbf, iat }: Claims, seconds: number, skew = 0): boolean =>
  isTime(iat) &&
  isTime(exp) &&
  isTime(nbf) &&
  (exp === undefined || exp + skew > seconds) &&
  (nbf === undefined || nbf <= seconds + skew);

/** Whether `aud`, a text or a list of texts, names an audience (RFC 7519, section 4.1.3). */
export const isForAudience = ({ aud }: Claims, accepts: (audience: string) => boolean): boolean => {
  const named: readonly unknown[] = [aud].flat();
  return named.every((one) => typeof one === 'string') && named.some((one) => accepts(one));
};

/** Whether `iat` or `nbf` is more than some seconds ahead. */
export const isAhead = ({ iat, nbf }: Claims, seconds: number, most: number): boolean =>
  [iat, nbf].some((time) => typeof time === 'number' && time > seconds + most);
