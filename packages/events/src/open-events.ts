import type { EventsConfig } from './config.ts';
import type { ErrorOf } from './ports.ts';
import { createGatherer } from './store/gather-events.ts';
import { createRefusalLimit } from './store/limit-refusals.ts';
import { createList, type ListEvents } from './store/list-events.ts';
import { createSearch, type SearchEvents } from './store/search-events.ts';
import { type AuditRecord, eventOf } from './types/audit-events.ts';
import { isWanted } from './types/event-types.ts';
import { createWebhooks, type Webhooks } from './webhooks/manage-webhooks.ts';
import type { WebhookDependencies } from './webhooks/run-webhook.ts';
import { runWebhook } from './webhooks/run-webhook.ts';
import { createSendEvent } from './webhooks/send-event.ts';

export interface EventsDependencies extends WebhookDependencies {
  readonly errorOf: ErrorOf;
}

/** The events, for administrators. */
export interface Events {
  /** A page of the events that are kept, oldest first. @throws CarnetError `invalid_request` for an unknown type or cursor */
  readonly list: ListEvents;
  /** A page of the events that are kept, newest first, by user, client, request or type. @throws as `list` */
  readonly search: SearchEvents;
  readonly webhooks: Webhooks;
}

export interface OpenedEvents extends Events {
  /** Keeps the event of an audit record. It returns at once, and never throws. */
  record(record: AuditRecord): void;
  /** Stores the events that wait, and stops sending. */
  close(): Promise<void>;
}

/** Begins to keep events, and to send them to the webhooks. */
export const openEvents = (config: EventsConfig, deps: EventsDependencies): OpenedEvents => {
  const { store, send, errorOf, now } = deps;
  const { retention, types, webhooks } = config;
  const running = webhooks.map((webhook) => runWebhook(webhook, deps));
  const gatherer = createGatherer({
    ...deps,
    retention,
    onStored: () => {
      for (const each of running) each.wake();
    },
  });
  const refusals = createRefusalLimit(deps);
  const stopping = new AbortController();
  return {
    list: createList({ store, errorOf, retention, now }),
    search: createSearch({ store, errorOf, retention, now }),
    webhooks: createWebhooks({
      store,
      errorOf,
      webhooks,
      now,
      senderOf: (webhook) => createSendEvent(webhook, { send, now, signal: stopping.signal }),
    }),
    record(record) {
      const event = eventOf(record, now());
      if (event === undefined || !isWanted(event.type, types)) return;
      if (record.outcome === 'success' || refusals.take(event.type)) gatherer.add(event);
    },
    async close() {
      stopping.abort();
      refusals.close();
      await gatherer.close();
      await Promise.all(running.map((each) => each.stop()));
    },
  };
};
