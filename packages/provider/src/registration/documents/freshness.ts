export interface FreshnessBounds {
  /** Seconds. */
  readonly minSeconds: number;
  /** Seconds. */
  readonly maxSeconds: number;
}

const notCacheable = /(?:^|,)\s*no-(?:store|cache)\b/i;
const maxAgeDirective = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,10})/i;

/** How long the answer itself wants to be kept (RFC 9111, section 4.2.1), or undefined. */
const wanted = (headers: Headers, nowMs: number): number | undefined => {
  const cacheControl = headers.get('cache-control') ?? '';
  if (notCacheable.test(cacheControl)) return 0;
  const maxAge = maxAgeDirective.exec(cacheControl)?.[1];
  if (maxAge !== undefined) return Number(maxAge) - Number(headers.get('age') ?? 0);
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? undefined : (expires - nowMs) / 1000;
};

/** For how many seconds a document may be used before it is fetched again: the value of its headers, within the bounds. */
export const freshSeconds = (headers: Headers, nowMs: number, { minSeconds, maxSeconds }: FreshnessBounds): number => {
  const seconds = wanted(headers, nowMs) ?? minSeconds;
  return Number.isFinite(seconds) ? Math.max(minSeconds, Math.min(maxSeconds, seconds)) : minSeconds;
};
