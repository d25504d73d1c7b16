import type { Api } from '@carnet/provider';
import { bodyOf, type Call, dateIn, done, segment } from './call.ts';

type Events = NonNullable<Api['events']>;
type Webhook = Awaited<ReturnType<Events['webhooks']['list']>>[number];
type Failed = Awaited<ReturnType<Events['webhooks']['failed']>>[number];

const webhooksOf = (call: Call): Events['webhooks'] => {
  const at = (name: string, rest: string): string => `/webhooks${segment(name)}/${rest}`;
  return {
    async list() {
      type Wire = Omit<Webhook, 'handledThrough'> & { readonly handled_through?: string };
      const found = await bodyOf<readonly Wire[]>(call({ method: 'GET', path: '/webhooks' }));
      return found.map(({ handled_through, ...rest }) => ({ ...rest, handledThrough: dateIn(handled_through) }));
    },
    async failed(name) {
      type Wire = Omit<Failed, 'failedAt'> & { readonly failed_at: string };
      const found = await bodyOf<readonly Wire[]>(call({ method: 'GET', path: at(name, 'failed') }));
      return found.map(({ failed_at, ...rest }) => ({ ...rest, failedAt: Date.parse(failed_at) }));
    },
    retry: (name) => done(call({ method: 'POST', path: at(name, 'retry') })),
    test: (name) => bodyOf(call({ method: 'POST', path: at(name, 'test') })),
  };
};

/** Only `type` may be repeated. */
const pathWith = (path: string, types: readonly string[] = []): string => {
  const repeated = new URLSearchParams(types.map((type): [string, string] => ['type', type])).toString();
  return `${path}${repeated && `?${repeated}`}`;
};

type List = Awaited<ReturnType<Events['list']>>;
type Found = Awaited<ReturnType<Events['search']>>;

export const eventsOf = (call: Call): Events => ({
  webhooks: webhooksOf(call),
  async list({ after, since, types, limit, recent } = {}) {
    type Page = Pick<List, 'events' | 'next'> & { readonly has_more: boolean };
    const path = pathWith('/events', types);
    const options = { page_size: limit?.toString(), recent: recent ? 'true' : undefined };
    const query = { after, since: since?.toISOString(), ...options };
    const { events, next, has_more: hasMore } = await bodyOf<Page>(call({ method: 'GET', path, query }));
    return { events, next, hasMore };
  },
  async search({ types, subject, clientId, requestId, id, since, until, after, limit } = {}) {
    type Page = Pick<Found, 'events' | 'next'> & { readonly searched_through: string };
    const path = pathWith('/events/search', types);
    const range = { since: since?.toISOString(), until: until?.toISOString(), after, page_size: limit?.toString() };
    const query = { subject, client_id: clientId, request_id: requestId, id, ...range };
    const { events, next, searched_through: through } = await bodyOf<Page>(call({ method: 'GET', path, query }));
    return { events, ...(next !== undefined && { next }), searchedThrough: new Date(through) };
  },
});
