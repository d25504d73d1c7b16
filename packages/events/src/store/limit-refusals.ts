import { createTokenBucket } from '@carnet/adapter-contract/kit';
import type { Clock, Logger } from '../ports.ts';

interface LimitDependencies extends Clock {
  readonly logger: Pick<Logger, 'warn'>;
}

/** The events of refused requests that a process keeps: of all types together, and of each type. */
const limitOfAll = { perSecond: 10, atOnce: 1_000 };
const limitOfType = { perSecond: 2, atOnce: 200 };
/** The log has one line in this time, in milliseconds. */
const reportMs = 10_000;

/**
 * Limits the events of refused requests. Unauthenticated callers cause them, as many as they like: without a limit they would
 * fill the store, and delay the other events. The log has the number of those that are not kept.
 */
export const createRefusalLimit = ({ now, logger }: LimitDependencies) => {
  const takeAny = createTokenBucket({ ...limitOfAll, now });
  const buckets = new Map<string, () => boolean>();
  const dropped = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const takeOf = (type: string): boolean => {
    const bucket = buckets.get(type) ?? createTokenBucket({ ...limitOfType, now });
    buckets.set(type, bucket);
    return bucket();
  };

  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (dropped.size === 0) return;
    logger.warn({ notKept: Object.fromEntries(dropped) }, 'too many refused requests: their events are not kept');
    dropped.clear();
  };

  return {
    /** Whether an event of this type is kept. */
    take(type: string): boolean {
      if (takeOf(type) && takeAny()) return true;
      dropped.set(type, (dropped.get(type) ?? 0) + 1);
      timer ??= setTimeout(report, reportMs).unref();
      return false;
    },
    close: report,
  };
};
