import type { ConsoleServer } from '../../server/console-server.ts';

export type EventSearch = NonNullable<Parameters<NonNullable<ConsoleServer['events']>['search']>[0]>;

/** The parameters of the URL that filter events. */
const filterNames = ['subject', 'client_id', 'request_id', 'type', 'since', 'until', 'id'] as const;

/** An instant in UTC, with or without seconds and time zone. Another text is no filter. */
const timeOf = (text: string | undefined): Date | undefined => {
  const date = new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '') ? (text ?? '') : `${text}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** The filters of a URL. An empty parameter is none. */
export const filtersIn = (query: URLSearchParams): EventSearch => {
  const text = (name: (typeof filterNames)[number]) => query.get(name)?.trim() || undefined;
  const types = text('type')?.split(/[\s,]+/);
  return {
    ...{ subject: text('subject'), clientId: text('client_id'), requestId: text('request_id'), id: text('id') },
    ...{ since: timeOf(text('since')), until: timeOf(text('until')), types },
  };
};

/** The parameters of a URL with the same filters. */
export const filterParameters = (query: URLSearchParams): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name) || undefined]));
