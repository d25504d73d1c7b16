/** Events of Carnet with a schema, kept in its store, and webhooks. */
export { type EventsConfig, eventsRules, eventsSchema } from './config.ts';
export { type Events, type EventsDependencies, type OpenedEvents, openEvents } from './open-events.ts';
export type { SendWebhook, WebhookRequest } from './ports.ts';
export { createEventRoutes, type EventRoute } from './routes/event-routes.ts';
export type { EventPage, EventQuery, ListEvents } from './store/list-events.ts';
export type { StoredEvent } from './store/records.ts';
export type { EventSearch, FoundEvents, SearchEvents } from './store/search-events.ts';
export { type AuditRecord, auditActions } from './types/audit-events.ts';
export type { WebhookStatus, Webhooks } from './webhooks/manage-webhooks.ts';
export type { AttemptResult } from './webhooks/send-event.ts';
export type { FailedEvent } from './webhooks/state.ts';
