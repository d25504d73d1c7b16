export interface TokenBucketOptions {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** The capacity: what may be taken at once after a pause. */
  readonly atOnce: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Limits how often this process does something for unauthenticated callers. The function takes a token, or returns false. */
export const createTokenBucket = ({ perSecond, atOnce, now }: TokenBucketOptions): (() => boolean) => {
  let left = atOnce;
  let at = now();
  return () => {
    const later = now();
    left = Math.min(atOnce, left + (Math.max(0, later - at) / 1000) * perSecond);
    at = later;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
};
