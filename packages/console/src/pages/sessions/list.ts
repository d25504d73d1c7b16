import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { sessionsMessages } from '../../messages/sessions/index.ts';
import { dateTime } from '../../page/dates.ts';
import { changeForm, confirmedForm, hidden, mayChange, searchForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { clientLink, userLink } from '../../page/ids.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import type { ConsoleServer } from '../../server/console-server.ts';
import { usersOfClient } from './of-client.ts';
import { authenticationOf, browserOf } from './words.ts';

type Session = Awaited<ReturnType<ConsoleServer['sessions']['list']>>['items'][number];

/** The form of both lists. */
export const sessionSearch = (context: PageContext): Html => {
  const { query, link, language } = context;
  const texts = sessionsMessages(language);
  return searchForm(
    link('/sessions'),
    html`${textField({ name: 'subject', label: texts.subject, type: 'search', value: query.get('subject') ?? '' })}
${textField({ name: 'client_id', label: texts.client, type: 'search', value: query.get('client_id') ?? '', hint: texts.hint })}`,
    context,
  );
};

const rowOf = (context: PageContext, { sid, authenticatedAt, expiresAt, place, clients, acr, amr }: Session) => {
  const { language, link, query } = context;
  const end = (): Html => {
    const fields = html`${hidden('sid', sid)}${hidden('subject', query.get('subject') ?? '')}`;
    return changeForm(link('/sessions/end'), sessionsMessages(language).end, fields);
  };
  const named = clients.map(
    ({ clientId, clientName }, at) => html`${at === 0 ? '' : ', '}${clientLink(context, clientId, clientName)}`,
  );
  return [
    dateTime(authenticatedAt, language),
    html`${place.address ?? ''} ${browserOf(place.userAgent)}`,
    html`${named}`,
    authenticationOf({ acr, amr }, language),
    expiresAt && dateTime(expiresAt, language),
    ...(mayChange(context) ? [end()] : []),
  ];
};

const sessionsOfUser = async (context: PageContext, subject: string): Promise<Html> => {
  const { server, language, link } = context;
  const texts = sessionsMessages(language);
  const { items, next } = await server.sessions.list({ subject, ...pageQueryIn(context) });
  const { change, ...columns } = texts.sessionColumns;
  return html`<h2>${fill(texts.ofUser, { subject })}</h2>
<p>${userLink(context, subject)} · <a href="${link('/sessions/consents', { subject })}">${texts.showConsents}</a></p>
${table({
  caption: texts.sessions,
  columns: [...Object.values(columns), ...(mayChange(context) ? [change] : [])],
  rows: items.map((session) => rowOf(context, session)),
  empty: texts.noSessions,
})}
${pager(context, '/sessions', next)}
${
  mayChange(context)
    ? confirmedForm(context, {
        action: link('/sessions/end-all'),
        summary: texts.endAll,
        warning: texts.endAllWarning,
        fields: hidden('subject', subject),
      })
    : html`<p>${commonMessages(language).viewerOnly}</p>`
}`;
};

/** The sessions of a user, or the users of a client. */
export const listSessions = async (context: PageContext): Promise<Answer> => {
  const { query, language } = context;
  const subject = query.get('subject') || undefined;
  const clientId = query.get('client_id') || undefined;
  const found =
    subject !== undefined
      ? await sessionsOfUser(context, subject)
      : clientId !== undefined
        ? await usersOfClient(context, clientId)
        : '';
  return page(commonMessages(language).nav.sessions, html`${sessionSearch(context)}${found}`);
};
