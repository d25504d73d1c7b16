import { CarnetError } from '@carnet/provider';
import type { EventMessages } from '../../messages/events/en.ts';
import { fill } from '../../messages/fill.ts';
import type { ConsoleServer } from '../../server/console-server.ts';

export type EventSearch = NonNullable<Parameters<NonNullable<ConsoleServer['events']>['search']>[0]>;

/** The parameters of the URL that filter events. */
const filterNames = ['subject', 'client_id', 'request_id', 'type', 'since', 'until', 'id'] as const;

/** An instant in UTC, with or without seconds and time zone. */
const timeOf = (text: string | undefined, { noTime }: EventMessages): Date | undefined => {
  if (text === undefined) return undefined;
  const date = new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  // Without a refusal, the page would show all events as those of the wrong time.
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime()))
    throw new CarnetError('invalid_request', fill(noTime, { value: text }));
  return date;
};

/** The filters of a URL. An empty parameter is none. @throws CarnetError `invalid_request` if a time is none */
export const filtersIn = (query: URLSearchParams, texts: EventMessages): EventSearch => {
  const text = (name: (typeof filterNames)[number]) => query.get(name)?.trim() || undefined;
  const types = text('type')?.split(/[\s,]+/);
  return {
    ...{ subject: text('subject'), clientId: text('client_id'), requestId: text('request_id'), id: text('id') },
    ...{ since: timeOf(text('since'), texts), until: timeOf(text('until'), texts), types },
  };
};

/** The parameters of a URL with the same filters. */
export const filterParameters = (query: URLSearchParams): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name) || undefined]));
