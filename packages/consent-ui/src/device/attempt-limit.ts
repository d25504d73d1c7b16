export interface AttemptLimitOptions {
  /** Failures allowed in one window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** The maximum number of keys. The key with the oldest window is evicted. Default 10,000. */
  readonly maximumKeys?: number;
  readonly now?: () => number;
}

export interface AttemptLimit {
  /**
   * Takes one attempt, or returns the seconds to wait.
   *
   * Call it before the password is checked, so that parallel guesses cannot all begin before the first has failed.
   */
  take(key: string): { allowed: true } | { allowed: false; retryAfterSeconds: number };
  /** Gives an attempt back, because it succeeded or could not be checked. */
  giveBack(key: string): void;
}

/** Counts failures per key in fixed windows, in this process's memory. */
export const createAttemptLimit = ({
  limit,
  windowSeconds,
  maximumKeys = 10_000,
  now = Date.now,
}: AttemptLimitOptions): AttemptLimit => {
  const windows = new Map<string, { endsAt: number; attempts: number }>();

  const current = (key: string) => {
    const known = windows.get(key);
    if (known && known.endsAt > now()) return known;
    windows.delete(key);
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= maximumKeys) windows.delete(oldest);
    const fresh = { endsAt: now() + windowSeconds * 1000, attempts: 0 };
    windows.set(key, fresh);
    return fresh;
  };

  return {
    take: (key) => {
      const window = current(key);
      if (window.attempts >= limit)
        return { allowed: false, retryAfterSeconds: Math.ceil((window.endsAt - now()) / 1000) };
      window.attempts += 1;
      return { allowed: true };
    },
    giveBack: (key) => {
      const window = windows.get(key);
      if (window && window.attempts > 0) window.attempts -= 1;
    },
  };
};
