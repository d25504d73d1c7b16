export interface AllowanceOptions {
  readonly perSecond: number;
  /** What may be taken at once, after a while without any. */
  readonly atOnce: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A bounded rate (a token bucket) for what this process does for anybody who asks. True: go on. */
export const createAllowance = ({ perSecond, atOnce, now }: AllowanceOptions): (() => boolean) => {
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
