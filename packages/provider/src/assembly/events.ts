import type { StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/schema.ts';
import { CarnetError } from '../errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { loadPackage } from '../storage/load-package.ts';
import type { Logger } from '../telemetry/logger.ts';
import { parseWith } from '../validation.ts';

type EventsModule = typeof import('@carnet/events');

/** The package of the events, loaded only for a configuration with them. @throws ConfigError if it is not installed */
export const loadEventsModule = async (): Promise<EventsModule> =>
  (await loadPackage('@carnet/events', { key: 'events' })) as EventsModule;

interface EventsBase extends Clock {
  readonly config: Pick<Config, 'events'>;
  readonly adapter: StorageAdapter;
  readonly outbound: OutboundClient;
  readonly logger: Logger;
}

/** Begins to keep events, and to send them to the webhooks. Undefined if they are not configured. */
export const openConfiguredEvents = async ({ config, adapter, outbound, logger, now }: EventsBase) => {
  const { events } = config;
  if (events === undefined) return undefined;
  const { openEvents, createEventRoutes } = await loadEventsModule();
  const opened = openEvents(events, {
    store: adapter,
    // Hosts of webhooks must be public or in `outbound.allow`, as those of clients must.
    send: (request) => outbound.send({ ...request, purpose: 'webhook' }),
    errorOf: (code, message) => new CarnetError(code, message),
    logger,
    now,
  });
  return {
    api: { list: opened.list, search: opened.search, webhooks: opened.webhooks },
    record: opened.record,
    close: opened.close,
    routes: createEventRoutes(opened, parseWith),
  };
};
