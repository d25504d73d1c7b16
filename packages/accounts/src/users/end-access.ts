import type { Logger } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { isBarred } from '../sign-in/sign-in-machine.ts';
import type { RevocationStore } from '../store/index.ts';

export interface EndAccessDependencies {
  readonly directories: Pick<Directories, 'load'>;
  /** Removes the users of a directory, or of all, from the user caches of all workers. */
  readonly purge: (which: { readonly directory?: string }) => Promise<unknown>;
  /** Ends sessions, and revokes consents and tokens. @throws if it fails */
  readonly onRevoke: (subject: string) => Promise<void>;
  /** Undefined without an accounts database: a process that ends forgets the repetitions. */
  readonly store: RevocationStore | undefined;
  /** How long a sign-in from before can still be completed. */
  readonly windowSeconds: number;
  readonly logger: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The end of all access of a user. */
export interface Access {
  /**
   * Ends sessions, and revokes grants and tokens.
   *
   * An accepted sign-in whose redirect the browser has not followed yet, and a code that is not redeemed yet, are in no store.
   * Safe against both because the revocation is repeated while the user may not sign in, until neither is valid any more.
   *
   * @throws if the sessions and tokens cannot be revoked
   */
  end(subject: string, directory: string | undefined): Promise<void>;
  /** Continues the repetitions of a process that has ended. */
  resume(): Promise<void>;
  close(): void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;
/** After this time without a repetition, another process continues. */
const leaseMs = 3 * longestDelayMs;
const pageSize = 100;

/** A user whose access is ended repeatedly. */
interface Repeated {
  readonly subject: string;
  readonly untilAt: number;
}

interface Repetitions {
  add(repeated: Repeated): void;
  close(): void;
}

/** Calls `repeat` after 1, 2, 4 ... seconds, then each minute, for each user. It returns whether to repeat it. */
const createRepetitions = (
  repeat: (repeated: Repeated) => Promise<boolean>,
  { logger, now }: Pick<EndAccessDependencies, 'logger' | 'now'>,
): Repetitions => {
  const timers = new Map<string, NodeJS.Timeout>();
  const add = (repeated: Repeated, delayMs = firstDelayMs): void => {
    const { subject, untilAt } = repeated;
    clearTimeout(timers.get(subject));
    const run = async (): Promise<void> => {
      const isRepeated = await repeat(repeated).catch((error: unknown) => {
        logger.error({ err: error, subject }, 'The access of a user was not revoked again. It is tried once more.');
        return true;
      });
      // `close` or a later call has replaced it meanwhile.
      if (timers.get(subject) !== timer) return;
      timers.delete(subject);
      if (isRepeated) add(repeated, Math.min(2 * delayMs, longestDelayMs));
    };
    const restMs = untilAt - now();
    // One repetition is at the end. If it fails, the next ones are as rare as before.
    const wait = restMs > 0 ? Math.min(delayMs, Math.max(restMs, firstDelayMs)) : delayMs;
    const timer = setTimeout(() => void run(), wait).unref();
    timers.set(subject, timer);
  };
  return {
    add: (repeated) => add(repeated),
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};

export const createAccess = (dependencies: EndAccessDependencies): Access => {
  const { directories, purge, onRevoke, store, windowSeconds, now } = dependencies;

  const isBarredNow = async (subject: string): Promise<boolean> => {
    const account = await directories.load(subject);
    return account === undefined || isBarred(account);
  };

  /** Returns whether to repeat it. A user who may sign in again keeps the new sessions. */
  const repeat = async ({ subject, untilAt }: Repeated): Promise<boolean> => {
    const isLast = now() >= untilAt;
    const isNeeded = await isBarredNow(subject);
    if (isNeeded) await onRevoke(subject);
    if (!isNeeded || isLast) {
      await store?.end(subject, untilAt);
      return false;
    }
    await store?.begin({ subject, untilAt, dueAt: now() + leaseMs });
    return true;
  };
  const repetitions = createRepetitions(repeat, dependencies);

  return {
    async end(subject, directory) {
      const untilAt = now() + windowSeconds * 1_000;
      // In an outage of the directory, the access ends too; the repetition asks again.
      const mustRepeat = await isBarredNow(subject).catch(() => true);
      // First: if this process ends in between, another one repeats the revocation.
      if (mustRepeat) await store?.begin({ subject, untilAt, dueAt: now() + leaseMs });
      await Promise.all([onRevoke(subject), purge(directory === undefined ? {} : { directory })]);
      if (mustRepeat) repetitions.add({ subject, untilAt });
    },
    async resume() {
      for (;;) {
        const due = (await store?.takeDue({ now: now(), dueAt: now() + leaseMs, limit: pageSize })) ?? [];
        for (const each of due) repetitions.add(each);
        if (due.length < pageSize) return;
      }
    },
    close: repetitions.close,
  };
};
