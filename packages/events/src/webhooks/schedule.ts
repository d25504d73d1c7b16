/** Seconds from the failure of an attempt until the next one (Standard Webhooks, "Retry schedule"): about three days. */
const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** The attempts for an event, with the first one. */
export const maxAttempts = delays.length + 1;

/** Milliseconds until the next attempt, after so many. The random tenth keeps receivers from getting all retries at once. */
export const delayMsAfter = (attempts: number, random = Math.random()): number =>
  (delays[attempts - 1] ?? 0) * 1_000 * (1 + random / 10);
