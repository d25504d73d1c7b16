import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { sessionsMessages } from '../../messages/sessions/index.ts';
import { dateTime, duration } from '../../page/dates.ts';
import { changeForm, confirmedForm, hidden, mayChange } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { clientLink, userLink } from '../../page/ids.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import type { ConsoleServer } from '../../server/console-server.ts';
import { sessionSearch } from './list.ts';

type Consent = Awaited<ReturnType<ConsoleServer['consents']['list']>>['items'][number];

const rowOf = (context: PageContext, consent: Consent) => {
  const { language, link } = context;
  const texts = sessionsMessages(language);
  const { client, scopes, audience, handledAt, rememberFor, consentRequestId, subject } = consent;
  const revoke = (): Html =>
    changeForm(
      link('/sessions/consents/revoke'),
      texts.revoke,
      html`${hidden('id', consentRequestId)}${hidden('subject', subject)}`,
    );
  return [
    clientLink(context, client.client_id, client.client_name),
    scopes.join(' '),
    audience.join(' '),
    dateTime(handledAt, language),
    rememberFor === undefined
      ? commonMessages(language).no
      : rememberFor === 0
        ? texts.forever
        : duration(rememberFor, language),
    ...(mayChange(context) ? [revoke()] : []),
  ];
};

/** The consents of a user. */
export const listConsents = async (context: PageContext): Promise<Answer> => {
  const { server, query, language, link } = context;
  const texts = sessionsMessages(language);
  const subject = query.get('subject') ?? '';
  if (subject === '') return page(texts.consents, sessionSearch(context));
  const { items, next } = await server.consents.list({ subject, ...pageQueryIn(context) });
  const { change, ...columns } = texts.consentColumns;
  return page(
    texts.consents,
    html`${sessionSearch(context)}<h2>${fill(texts.consentsOfUser, { subject })}</h2>
<p>${userLink(context, subject)} · <a href="${link('/sessions', { subject })}">${texts.showSessions}</a></p>
${table({
  caption: texts.consents,
  columns: [...Object.values(columns), ...(mayChange(context) ? [change] : [])],
  rows: items.map((consent) => rowOf(context, consent)),
  empty: texts.noConsents,
})}
${pager(context, '/sessions/consents', next)}
${
  mayChange(context)
    ? confirmedForm(context, {
        action: link('/sessions/consents/revoke-all'),
        summary: texts.revokeAll,
        warning: texts.revokeAllWarning,
        fields: hidden('subject', subject),
      })
    : html`<p>${commonMessages(language).viewerOnly}</p>`
}`,
  );
};
