import type { Clock, Logger } from '../ports.ts';
import type { StoredEvent } from '../store/records.ts';
import { delayMsAfter, maxAttempts } from './schedule.ts';
import type { AttemptResult, Webhook } from './send-event.ts';
import { type Retry, type WebhookState, withFailed } from './state.ts';

interface AttemptDependencies extends Clock {
  readonly webhook: Pick<Webhook, 'name'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** An attempt that was made. */
export interface Attempt {
  readonly event: StoredEvent;
  /** The attempts before this one. */
  readonly attempts: number;
  readonly result: AttemptResult;
}

const isOver = ({ attempts }: Attempt): boolean => attempts + 1 >= maxAttempts;

const report = ({ event, attempts, result }: Attempt, { webhook, logger }: AttemptDependencies): void => {
  const fields = { webhook: webhook.name, event: event.id, attempts: attempts + 1, reason: result.reason };
  const isLast = isOver({ event, attempts, result });
  logger.warn(fields, isLast ? 'webhook event given up' : 'webhook event failed');
  if (result.status === 'gone') logger.warn({ webhook: webhook.name }, 'webhook switched off, because it answered 410');
};

/** The state after some attempts: failed events wait for the next attempt, or are given up. */
export const afterAttempts = (
  state: WebhookState,
  attempts: readonly Attempt[],
  deps: AttemptDependencies,
): WebhookState => {
  const { now } = deps;
  const { aborted = [], failed = [] } = Object.groupBy(
    attempts.filter(({ result }) => result.status !== 'delivered'),
    ({ result }) => (result.status === 'aborted' ? 'aborted' : 'failed'),
  );
  for (const each of failed) report(each, deps);
  const pauseMs = Math.max(0, ...failed.map(({ result }) => result.pauseMs ?? 0));
  const again = failed
    .filter((each) => !isOver(each))
    .map(({ event, attempts: before, result }): Retry => {
      const delayMs = Math.max(delayMsAfter(before + 1), result.pauseMs ?? 0);
      return { id: event.id, attempts: before + 1, dueAt: now() + delayMs };
    });
  const unfinished = aborted.map(({ event, attempts: before }) => ({ id: event.id, attempts: before, dueAt: now() }));
  const givenUp = failed.filter(isOver).map(({ event, result: { reason = 'unknown' } }) => ({
    id: event.id,
    attempts: maxAttempts,
    failedAt: now(),
    reason,
  }));
  const next = {
    ...state,
    isGone: failed.some(({ result }) => result.status === 'gone'),
    pausedUntil: pauseMs > 0 ? now() + pauseMs : state.pausedUntil,
    retries: [...state.retries, ...again, ...unfinished],
  };
  return withFailed(next, givenUp);
};
