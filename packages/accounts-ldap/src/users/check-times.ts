/** How long the server takes to check passwords. */
export interface CheckTimes {
  /** Notes the duration of the check of a user's password, in milliseconds. */
  note(user: string, ms: number): void;
  /** For how many milliseconds a refusal that has taken `ms` still has to wait, to take as long as the slowest recent check. */
  rest(ms: number): number;
}

const maximumUsers = 100;

/** A server that hangs for some seconds must not delay the refusals after it. */
const longestMs = 1_000;

/**
 * A server computes no hash for a DN that does not exist, and the cost of a hash depends on its kind. So that the duration
 * of a refusal does not reveal which users exist, every refusal takes as long as the slowest recent check.
 *
 * Each user has one entry, so that an attacker with one account cannot displace the entries of other users. The shorter one
 * of the user's last two checks is used, so that a pause of the server is forgotten.
 */
export const createCheckTimes = (): CheckTimes => {
  const lastTwo = new Map<string, readonly [last: number, before: number]>();
  const slowest = (): number => Math.max(0, ...[...lastTwo.values()].map(([last, before]) => Math.min(last, before)));
  return {
    note: (user, ms) => {
      const [before = ms] = lastTwo.get(user) ?? [];
      lastTwo.delete(user);
      lastTwo.set(user, [Math.min(ms, longestMs), before]);
      const [oldest] = lastTwo.keys();
      if (oldest !== undefined && lastTwo.size > maximumUsers) lastTwo.delete(oldest);
    },
    rest: (ms) => Math.max(0, Math.ceil(slowest() - ms)),
  };
};
