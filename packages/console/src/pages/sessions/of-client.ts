import { fill } from '../../messages/fill.ts';
import { sessionsMessages } from '../../messages/sessions/index.ts';
import { dateTime } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import { clientLink, userLink } from '../../page/ids.ts';
import { sectionNote } from '../../page/needs-section.ts';
import { pager } from '../../page/pager.ts';
import type { PageContext } from '../../page/route.ts';
import { table } from '../../page/table.ts';

/** Events that name a user and the client. */
const types = ['login.succeeded', 'token.issued'];
const eventsPerPage = 500;

/** The users of a client: the store has no index of sessions by client, which each login would have to write. */
export const usersOfClient = async (context: PageContext, clientId: string): Promise<Html> => {
  const { server, language, link, query } = context;
  const texts = sessionsMessages(language);
  const title = html`<h2>${fill(texts.ofClient, { client: clientId })}</h2><p>${clientLink(context, clientId)}</p>`;
  if (server.events === undefined) return html`${title}${sectionNote(context, 'events')}`;
  const after = query.get('after') || undefined;
  const { events, next } = await server.events.search({ types, clientId, limit: eventsPerPage, after });
  // Newest first: the first event of a user is the last one.
  const last = new Map<string, (typeof events)[number]>();
  for (const event of events) {
    const { subject } = event.data;
    if (subject !== undefined && !last.has(subject)) last.set(subject, event);
  }
  return html`${title}<p>${texts.clientHint}</p>${table({
    caption: fill(texts.ofClient, { client: clientId }),
    columns: Object.values(texts.clientColumns),
    rows: [...last].map(([subject, { timestamp, type }]) => [
      userLink(context, subject),
      dateTime(timestamp, language),
      type,
      html`<a href="${link('/sessions', { subject })}">${texts.showSessions}</a> · <a href="${link('/sessions/consents', { subject })}">${texts.showConsents}</a>`,
    ]),
    empty: texts.noUsers,
  })}${pager(context, '/sessions', next)}`;
};
