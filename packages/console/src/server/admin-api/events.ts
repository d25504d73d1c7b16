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

export const eventsOf = (call: Call): Events => ({
  webhooks: webhooksOf(call),
  async list({ after, since, types = [], limit, recent } = {}) {
    type Page = Pick<Awaited<ReturnType<Events['list']>>, 'events' | 'next'> & { readonly has_more: boolean };
    const given = {
      after,
      since: since?.toISOString(),
      page_size: limit?.toString(),
      recent: recent ? 'true' : undefined,
    };
    // Only `type` may be repeated.
    const repeated = new URLSearchParams(types.map((type) => ['type', type])).toString();
    const path = `/events${repeated && `?${repeated}`}`;
    const { events, next, has_more: hasMore } = await bodyOf<Page>(call({ method: 'GET', path, query: given }));
    return { events, next, hasMore };
  },
});
