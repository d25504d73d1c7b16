import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, EventStore, Logger, SendWebhook } from '../ports.ts';
import { createLease } from './lease.ts';
import { createPending } from './pending-events.ts';
import { createRounds } from './rounds.ts';
import { createSendEvent, type Webhook } from './send-event.ts';
import type { WebhookState } from './state.ts';

export interface WebhookDependencies extends Clock {
  readonly store: EventStore;
  readonly send: SendWebhook;
  readonly logger: Logger;
}

/** A process that does not hold the webhook tries so often, in milliseconds. A quarter more at random. */
const takeMs = 10_000;
/** The state is saved at most so often while there is much to send, and the lease is renewed when there is nothing. */
const saveMs = 1_000;
const renewMs = 10_000;

/** Saves the state when it has changed, and renews the lease. */
const createKeeper = (lease: ReturnType<typeof createLease>, now: () => number) => {
  let saved: WebhookState | undefined;
  let savedAt = 0;
  return {
    async keep(state: WebhookState, isIdle: boolean): Promise<boolean> {
      const isChanged = state !== saved;
      const age = now() - savedAt;
      if (isChanged ? !isIdle && age < saveMs : age < renewMs) return true;
      savedAt = now();
      saved = state;
      return isChanged ? lease.save(state) : lease.renew();
    },
    /** The state is in the store. */
    taken(state: WebhookState): void {
      saved = state;
      savedAt = now();
    },
  };
};

/** A pause that can be ended, also before it begins. */
const createPause = () => {
  let ended = new AbortController();
  return {
    async wait(ms: number): Promise<void> {
      await delay(ms, undefined, { ref: false, signal: ended.signal }).catch(() => {});
      ended = new AbortController();
    },
    end: (): void => ended.abort(),
  };
};

/**
 * Sends the events of a webhook, in one process at a time. Every webhook has its own loop and its own lease, so that a slow one
 * delays no other.
 */
export const runWebhook = (webhook: Webhook, deps: WebhookDependencies) => {
  const { store, send, logger, now } = deps;
  const stopped = new AbortController();
  const { signal } = stopped;
  const lease = createLease({ store, now, name: webhook.name });
  const pending = createPending({ store, now, types: webhook.types });
  const sendEvent = createSendEvent(webhook, { send, now, signal });
  const round = createRounds({ webhook, store, now, pending, sendEvent, logger });
  const keeper = createKeeper(lease, now);
  const pause = createPause();
  let state: WebhookState | undefined;

  /** The pause until the next step. */
  const step = async (): Promise<number> => {
    if (state === undefined) {
      pending.forget();
      state = await lease.take();
      if (state === undefined) return takeMs * (1 + Math.random() / 4);
      keeper.taken(state);
    }
    const done = await round(state);
    // At the end, `run` saves it.
    const isHeld = signal.aborted || (await keeper.keep(done.state, done.waitMs > 0));
    state = isHeld ? done.state : undefined;
    return done.waitMs;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let waitMs = takeMs;
      try {
        waitMs = await step();
      } catch (err) {
        state = undefined;
        if (!signal.aborted) logger.warn({ err, webhook: webhook.name }, 'webhook put off');
      }
      if (waitMs > 0 && !signal.aborted) await pause.wait(waitMs);
    }
    if (state === undefined) return;
    await lease.save(state);
    await lease.release();
  };
  const running = run();

  return {
    /** There are new events. A process that does not hold the webhook has nothing to do. */
    wake(): void {
      if (state !== undefined) pause.end();
    },
    /** Aborts requests in progress, and lets another process resume. Their events are sent again. */
    async stop(): Promise<void> {
      stopped.abort();
      pause.end();
      await running.catch((err: unknown) => logger.warn({ err, webhook: webhook.name }, 'webhook not released'));
    },
  };
};
