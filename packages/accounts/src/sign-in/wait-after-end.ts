import { setTimeout as delay } from 'node:timers/promises';

export interface WaitAfterEndDependencies {
  readonly sessionsEndedAt: (subject: string) => Promise<number | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const secondMs = 1_000;
/** A timer may end a millisecond early. */
const marginMs = 1;

/**
 * Waits until the second in which the sessions of the user were ended is over, so that the sign-in does not end with them.
 *
 * An `authTime` has whole seconds (OpenID Connect Core, section 2). In the second of the end it is earlier than the end,
 * also for a sign-in afterwards, such as the one with the new password. To accept that second would be unsafe: it is also
 * the `authTime` of a sign-in just before the end.
 *
 * @returns whether the sessions of the user were ended
 */
export const createWaitAfterEnd =
  ({ sessionsEndedAt, now }: WaitAfterEndDependencies) =>
  async (subject: string): Promise<boolean> => {
    const endedAt = await sessionsEndedAt(subject);
    if (endedAt === undefined) return false;
    const waitMs = (Math.floor(endedAt / secondMs) + 1) * secondMs - now();
    // No longer than a second: the clock of the process that ended the sessions may be ahead.
    if (waitMs > 0) await delay(Math.min(waitMs, secondMs) + marginMs);
    return true;
  };
