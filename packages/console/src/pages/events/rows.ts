import { eventsMessages } from '../../messages/events/index.ts';
import { dateTime } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import { clientLink, requestLink, userLink } from '../../page/ids.ts';
import type { PageContext } from '../../page/route.ts';
import type { ConsoleServer } from '../../server/console-server.ts';

export type ShownEvent = Awaited<ReturnType<NonNullable<ConsoleServer['events']>['search']>>['events'][number];

type Context = Pick<PageContext, 'language' | 'link'>;

/** The result, with the reason of a refusal, which is a link to the explanations for an authorization request. */
const resultOf = ({ language }: Context, { data }: ShownEvent): string => {
  const texts = eventsMessages(language);
  const result = data.outcome === 'denied' ? texts.denied : texts.success;
  return data.reason === undefined ? result : `${result}: ${data.reason}`;
};

/** The members that have no column of their own. */
const detailsOf = ({ data }: ShownEvent): string => {
  const { outcome, reason, subject, client_id, request_id, ...others } = data;
  return Object.entries(others)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
};

/** The cells of an event. */
export const cellsOf = (context: Context, event: ShownEvent): readonly (Html | string | undefined)[] => {
  const { link, language } = context;
  const { subject, client_id: clientId, request_id: requestId } = event.data;
  return [
    html`<a href="${link('/events', { id: event.id })}">${dateTime(event.timestamp, language)}</a>`,
    event.type,
    resultOf(context, event),
    userLink(context, subject),
    clientLink(context, clientId),
    requestLink(context, requestId),
    detailsOf(event),
  ];
};
