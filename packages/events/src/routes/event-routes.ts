import { parametersIn } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import type { Events } from '../open-events.ts';
import { eventTypes } from '../types/event-types.ts';
import { eventMembers } from '../types/members.ts';
import type { WebhookStatus } from '../webhooks/manage-webhooks.ts';

/** A request of the admin API, as the provider forwards it. */
export interface EventRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

interface EventAnswer {
  readonly status: number;
  readonly body?: object;
}

/** A line of the route table of the admin API, with its description for OpenAPI. */
export interface EventRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly audit?: 'webhook.retry';
  readonly operationId: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: EventRequest): Promise<EventAnswer>;
}

/** Checks what a caller has sent. @throws the error that names the member */
export type Parse = <T>(schema: z.ZodType<T>, value: unknown) => T;

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-26T08:00:00Z' }).optional();

const listQuery = z.object({
  after: z.string().max(128).optional(),
  since: time,
  type: z.array(z.string().max(64)).max(64),
  recent: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  page_size: z
    .string()
    .regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'must be a whole number from 1 to 500')
    .optional(),
});

const event = z
  .object({
    id: z.string().describe('Unique. The header `webhook-id` of a webhook.'),
    type: z.enum(Object.keys(eventTypes)),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data: z.object(eventMembers).partial().describe('The members depend on the type. Further members may be added.'),
  })
  .meta({ id: 'Event' });

const page = z
  .object({
    events: z.array(event),
    next: z.string().describe('The value of `after` for the next page, also later.'),
    has_more: z.boolean().describe('Whether there is more now. A page may be empty nevertheless.'),
  })
  .meta({ id: 'EventPage' });

const status = z
  .object({
    name: z.string(),
    types: z.array(z.string()).optional().describe('Absent: all types but those of refused requests.'),
    state: z
      .enum(['active', 'paused', 'stalled', 'gone'])
      .describe(
        '`paused`: it has asked for a pause. `stalled`: 100 events wait for another attempt, and it gets one new event a minute. `gone`: it has answered 410.',
      ),
    retries: z.int().describe('The number of events that wait for another attempt.'),
    failed: z.int().describe('The number of events that failed for good.'),
    handled_through: z.iso.datetime().optional().describe('All events that were stored until then are handled.'),
  })
  .meta({ id: 'Webhook' });

const failedEvent = z
  .object({
    id: z.string(),
    attempts: z.int(),
    failed_at: z.iso.datetime(),
    reason: z.string().describe('A code, such as `http_500`, `timeout`, `private_address` or `expired`.'),
  })
  .meta({ id: 'FailedEvent' });

const testResult = z
  .object({ status: z.enum(['delivered', 'failed', 'gone', 'aborted']), reason: z.string().optional() })
  .meta({ id: 'WebhookTest' });

const id = z.string().max(255).optional();

const searchQuery = z.object({
  ...{ after: z.string().max(128).optional(), since: time, until: time, type: listQuery.shape.type },
  ...{ subject: id, client_id: z.string().max(2048).optional(), request_id: id, id },
  page_size: listQuery.shape.page_size,
});

const foundPage = z
  .object({
    events: z.array(event),
    next: z.string().optional().describe('The value of `after` for the next page. Absent: all was searched.'),
    searched_through: z.iso.datetime().describe('How far back this page has searched. It may be empty nevertheless.'),
  })
  .meta({ id: 'FoundEvents' });

/** Only `type` may be repeated. */
const queryIn = (query: URLSearchParams) => ({
  ...parametersIn(query, ['after', 'since', 'recent', 'page_size']),
  type: query.getAll('type'),
});

const bodyOf = ({ handledThrough, ...rest }: WebhookStatus): object => ({
  ...rest,
  handled_through: handledThrough?.toISOString(),
});

const listRoute = ({ list }: Pick<Events, 'list'>, parse: Parse): EventRoute => ({
  method: 'GET',
  path: '/admin/events',
  operationId: 'listEvents',
  summary: 'The events that are kept, oldest first.',
  query: {
    after: '`next` of the previous page.',
    since: 'Without `after`: only events that were stored from this time on (RFC 3339).',
    type: 'A type such as `user.created`, or `user.*`. It may be repeated. Default: all types.',
    recent: '`true`: with the events of the last 40 seconds. They are returned once more later.',
    page_size: 'The maximum number of events on a page, 1 to 500. Default 100.',
  },
  answers: { 200: page },
  async handle({ query }) {
    const { after, since, type, recent, page_size: size = '100' } = parse(listQuery, queryIn(query));
    const found = await list({
      after,
      since: dateOf(since),
      types: type.length === 0 ? undefined : type,
      recent: recent === 'true',
      limit: Number(size),
    });
    return { status: 200, body: { events: found.events, next: found.next, has_more: found.hasMore } };
  },
});

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const searchRoute = ({ search }: Pick<Events, 'search'>, parse: Parse): EventRoute => ({
  method: 'GET',
  path: '/admin/events/search',
  operationId: 'searchEvents',
  summary: 'Search the events that are kept, newest first.',
  query: {
    after: '`next` of the previous page.',
    since: 'Only events that were stored from this time on (RFC 3339).',
    until: 'Only events that were stored before this time (RFC 3339).',
    type: 'A type such as `user.created`, or `user.*`. It may be repeated. Default: all types.',
    subject: 'Only events of this user.',
    client_id: 'Only events of this client.',
    request_id: 'Only events of the request with this id, such as the one of an error page.',
    id: 'Only the event with this id.',
    page_size: 'The maximum number of events on a page, 1 to 500. Default 100.',
  },
  answers: { 200: foundPage },
  async handle({ query }) {
    const names = ['after', 'since', 'until', 'subject', 'client_id', 'request_id', 'id', 'page_size'];
    const given = { ...parametersIn(query, names), type: query.getAll('type') };
    const { since, until, type, client_id, request_id, page_size: size = '100', ...same } = parse(searchQuery, given);
    const found = await search({
      ...{ ...same, since: dateOf(since), until: dateOf(until), clientId: client_id, requestId: request_id },
      types: type.length === 0 ? undefined : type,
      limit: Number(size),
    });
    const { events, next, searchedThrough } = found;
    return { status: 200, body: { events, next, searched_through: searchedThrough.toISOString() } };
  },
});

const webhookRoutes = ({ webhooks }: Pick<Events, 'webhooks'>): readonly EventRoute[] => [
  {
    method: 'GET',
    path: '/admin/webhooks',
    operationId: 'listWebhooks',
    summary: 'The webhooks of the configuration, and whether they get their events.',
    answers: { 200: z.array(status) },
    handle: async () => ({ status: 200, body: (await webhooks.list()).map(bodyOf) }),
  },
  {
    method: 'GET',
    path: '/admin/webhooks/:name/failed',
    operationId: 'listFailedEvents',
    summary: 'The events that failed for good, newest first: the latest 1,000.',
    answers: { 200: z.array(failedEvent) },
    async handle({ params: { name = '' } }) {
      const failed = await webhooks.failed(name);
      const body = failed.map(({ failedAt, ...rest }) => ({ ...rest, failed_at: new Date(failedAt).toISOString() }));
      return { status: 200, body };
    },
  },
  {
    method: 'POST',
    path: '/admin/webhooks/:name/retry',
    audit: 'webhook.retry',
    operationId: 'retryWebhook',
    summary: 'Try all failed events again, and switch a webhook on that has answered 410.',
    answers: { 204: null },
    async handle({ params: { name = '' } }) {
      await webhooks.retry(name);
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/admin/webhooks/:name/test',
    operationId: 'testWebhook',
    summary: 'Send an event of the type `webhook.test`, and return the result.',
    answers: { 200: testResult },
    async handle({ params: { name = '' } }) {
      const { status: result, reason } = await webhooks.test(name);
      return { status: 200, body: { status: result, reason } };
    },
  },
];

/** The routes of the admin API for events and webhooks. `events` and `parse` throw the errors that the caller gets. */
export const createEventRoutes = (events: Events, parse: Parse): readonly EventRoute[] => [
  listRoute(events, parse),
  searchRoute(events, parse),
  ...webhookRoutes(events),
];
