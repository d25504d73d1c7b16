import type { Clock, EventStore, Logger } from '../ports.ts';
import { findEvents } from '../store/read-events.ts';
import type { StoredEvent } from '../store/records.ts';
import { type Attempt, afterAttempts } from './after-attempts.ts';
import type { Pending } from './pending-events.ts';
import { createPrepare } from './prepare.ts';
import type { SendEvent, Webhook } from './send-event.ts';
import { isStalled, type Retry, type WebhookState, withDoneThrough, withFailed } from './state.ts';

export interface RoundDependencies extends Clock {
  readonly webhook: Webhook;
  readonly store: EventStore;
  readonly pending: Pending;
  readonly sendEvent: SendEvent;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The result of a round: the new state, and the pause until the next round. */
export interface Round {
  readonly state: WebhookState;
  /** Milliseconds. 0: there is more to send. */
  readonly waitMs: number;
}

/** Requests to one webhook at the same time. */
const concurrency = 16;
/** How often a process looks for events that other processes have stored. */
const pollMs = 2_000;
/** The pause between two events for a webhook that is stalled. */
const probeMs = 60_000;

/** The work for one webhook, in rounds of a few requests: after each, the state can be saved. */
export const createRounds = (deps: RoundDependencies) => {
  const { webhook, store, pending, sendEvent, logger, now } = deps;
  const prepare = createPrepare(deps);

  const attempt = async (events: readonly { event: StoredEvent; attempts: number }[]): Promise<readonly Attempt[]> =>
    Promise.all(events.map(async (each) => ({ ...each, result: await sendEvent(each.event) })));

  /** A webhook that was stalled answers again: what waits is tried now. */
  const resumed = (state: WebhookState): WebhookState => {
    logger.warn({ webhook: webhook.name }, 'webhook answers again');
    return { ...state, retries: state.retries.map((each) => ({ ...each, dueAt: now() })) };
  };

  const expired = ({ id, attempts }: Retry) => ({ id, attempts, failedAt: now(), reason: 'expired' });

  /** Undefined: no retry is due. */
  const retry = async (state: WebhookState): Promise<WebhookState | undefined> => {
    const due = state.retries.filter(({ dueAt }) => dueAt <= now()).slice(0, concurrency);
    if (due.length === 0) return undefined;
    const events = await findEvents(
      store,
      due.map(({ id }) => id),
    );
    const found = due.flatMap(({ id, attempts }) => {
      const event = events.get(id);
      return event === undefined ? [] : [{ event, attempts }];
    });
    const rest = { ...state, retries: state.retries.filter((each) => !due.includes(each)) };
    const gone = due.filter(({ id }) => !events.has(id)).map(expired);
    const results = await attempt(found);
    const after = afterAttempts(withFailed(rest, gone), results, deps);
    return isStalled(state) && results.some(({ result }) => result.status === 'delivered') ? resumed(after) : after;
  };

  const sendNew = async (before: WebhookState): Promise<Round> => {
    const stalled = isStalled(before);
    if (stalled && before.probeAt > now()) return { state: before, waitMs: pollMs };
    const { state, slice } = await pending.next(before, stalled ? 1 : concurrency);
    if (slice === undefined) return { state, waitMs: pollMs };
    const results = await attempt(slice.events.map((event) => ({ event, attempts: 0 })));
    const isRefused = results.some(({ result }) => result.status !== 'delivered');
    // The event of a probe stays where it is: nothing is added to the retries of a webhook that does not answer.
    if (stalled && isRefused) return { state: { ...state, probeAt: now() + probeMs }, waitMs: pollMs };
    const advanced = slice.advance(state, slice.events.length);
    const after = afterAttempts(advanced, results, deps);
    return { state: stalled && results.length > 0 ? resumed(after) : after, waitMs: 0 };
  };

  return async (given: WebhookState): Promise<Round> => {
    const state = await prepare(given);
    // The events of the time in which it is off are not sent later.
    if (state.isGone) return { state: withDoneThrough({ ...state, partial: undefined }, now(), now()), waitMs: pollMs };
    if (state.pausedUntil > now()) return { state, waitMs: Math.min(pollMs, state.pausedUntil - now()) };
    const retried = await retry(state);
    return retried === undefined ? sendNew(state) : { state: retried, waitMs: 0 };
  };
};
