import type { Clock, ErrorOf, EventStore } from '../ports.ts';
import { createBatchId, eventIdOf } from '../store/event-id.ts';
import { eventKey } from '../store/records.ts';
import { commandRetry } from './commands.ts';
import type { AttemptResult, SendEvent, Webhook } from './send-event.ts';
import { type FailedEvent, isStalled, nameOfState, parseState, type WebhookState } from './state.ts';

/** A webhook, without its URL and its secrets. */
export interface WebhookStatus {
  readonly name: string;
  /** Undefined: all but those of refused requests. */
  readonly types: readonly string[] | undefined;
  /**
   * `active`: it gets events. `paused`: it has asked for a pause. `stalled`: 100 events wait for another attempt, and it gets one
   * new event a minute. `gone`: it has answered 410, and is switched off.
   */
  readonly state: 'active' | 'paused' | 'stalled' | 'gone';
  /** The number of events that wait for another attempt. */
  readonly retries: number;
  /** The number of events that failed for good: the latest 1,000. */
  readonly failed: number;
  /** All events that were stored until this time are handled. Undefined: no process has begun to send. */
  readonly handledThrough: Date | undefined;
}

export interface Webhooks {
  list(): Promise<readonly WebhookStatus[]>;
  /** The events that failed for good, newest first: the latest 1,000. @throws CarnetError `not_found` */
  failed(name: string): Promise<readonly FailedEvent[]>;
  /** Has all failed events tried again, and switches a webhook on that had answered 410. @throws CarnetError `not_found` */
  retry(name: string): Promise<void>;
  /** Sends an event of the type `webhook.test`. @throws CarnetError `not_found` */
  test(name: string): Promise<AttemptResult>;
}

interface ManageDependencies extends Clock {
  readonly store: EventStore;
  readonly errorOf: ErrorOf;
  readonly webhooks: readonly Webhook[];
  readonly senderOf: (webhook: Webhook) => SendEvent;
}

const stateName = (state: WebhookState | undefined, now: number): WebhookStatus['state'] => {
  if (state?.isGone) return 'gone';
  if (state !== undefined && state.pausedUntil > now) return 'paused';
  return state !== undefined && isStalled(state) ? 'stalled' : 'active';
};

/** The webhooks, for administrators. */
export const createWebhooks = ({ store, errorOf, webhooks, senderOf, now }: ManageDependencies): Webhooks => {
  const find = (name: string): Webhook => {
    const found = webhooks.find((each) => each.name === name);
    if (found === undefined) throw errorOf('not_found', 'There is no webhook with this name.');
    return found;
  };

  const readStates = async (names: readonly string[]): Promise<readonly (WebhookState | undefined)[]> => {
    const records = await store.read(names.map((name) => eventKey(nameOfState(name))));
    return records.map((record) => (record === undefined ? undefined : parseState(record.payload)));
  };

  return {
    async list() {
      const states = await readStates(webhooks.map(({ name }) => name));
      return webhooks.map(({ name, types }, index) => {
        const state = states[index];
        return {
          name,
          types,
          state: stateName(state, now()),
          retries: state?.retries.length ?? 0,
          failed: state?.failed.length ?? 0,
          handledThrough: state && new Date(state.doneThrough),
        };
      });
    },
    async failed(name) {
      const [state] = await readStates([find(name).name]);
      return (state?.failed ?? []).toReversed();
    },
    async retry(name) {
      await commandRetry(store, find(name).name, now());
    },
    async test(name) {
      const send = senderOf(find(name));
      const id = eventIdOf({ batchId: createBatchId(now()), index: 0 });
      const timestamp = new Date(now()).toISOString();
      return send({ id, type: 'webhook.test', timestamp, data: {} });
    },
  };
};
