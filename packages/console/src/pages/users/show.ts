import { commonMessages } from '../../messages/common/index.ts';
import { usersMessages } from '../../messages/users/index.ts';
import { dateTime } from '../../page/dates.ts';
import { confirmedForm, hidden, mayChange } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { userPath } from '../../page/ids.ts';
import { needsSection } from '../../page/needs-section.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { definitions, table } from '../../page/table.ts';
import type { ConsoleServer } from '../../server/console-server.ts';
import { userChanges } from './change-forms.ts';

type Users = NonNullable<ConsoleServer['users']>;
type ManagedUser = Awaited<ReturnType<Users['get']>>;
type Credentials = Awaited<ReturnType<Users['credentials']>>;

const facts = ({ language }: PageContext, user: ManagedUser): Html => {
  const texts = usersMessages(language);
  const { yes, no, none } = commonMessages(language);
  const at = (date: Date | undefined) => date && dateTime(date, language);
  return definitions([
    [texts.subject, user.subject],
    [texts.columns.directory, user.directory],
    [texts.columns.state, texts.states[user.state]],
    [texts.columns.logins, user.logins.join(', ')],
    [texts.groups, user.groups && (user.groups.map(({ name }) => name).join(', ') || none)],
    [texts.externalId, user.externalId],
    [texts.hasPassword, user.hasPassword === undefined ? undefined : user.hasPassword ? yes : no],
    [texts.columns.created, at(user.createdAt)],
    [texts.updated, at(user.updatedAt)],
    [texts.deletedOn, at(user.deleteAt)],
  ]);
};

const claims = ({ language }: PageContext, user: ManagedUser): Html => {
  const texts = usersMessages(language);
  const entries = Object.entries(user.claims);
  const { yes, no } = commonMessages(language);
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? yes : no;
    if (Array.isArray(value)) return value.map(shown).join(', ');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return html`<h2>${texts.claims}</h2>
${entries.length === 0 ? html`<p>${texts.noClaims}</p>` : definitions(entries.map(([name, value]) => [name, shown(value)]))}`;
};

const factors = ({ language }: PageContext, found: Credentials): Html => {
  const texts = usersMessages(language);
  return html`<h2>${texts.factors}</h2>${table({
    caption: texts.factors,
    columns: Object.values(texts.factorColumns),
    rows: found.factors.map(({ kind, label, createdAt, lastUsedAt, remaining }) => [
      ...[kind, label, dateTime(createdAt, language)],
      ...[lastUsedAt && dateTime(lastUsedAt, language), remaining],
    ]),
    empty: texts.noFactors,
  })}`;
};

const identities = (context: PageContext, subject: string, found: Credentials): Html => {
  const { language, link } = context;
  const texts = usersMessages(language);
  const { change, ...columns } = texts.identityColumns;
  const unlink = (id: string): Html =>
    confirmedForm(context, {
      action: link(`${userPath(subject)}/unlink`),
      summary: texts.unlink,
      warning: texts.unlinkWarning,
      fields: hidden('id', id),
    });
  return html`<h2>${texts.identities}</h2>${table({
    caption: texts.identities,
    columns: [...Object.values(columns), ...(mayChange(context) ? [change] : [])],
    rows: found.identities.map(({ id, label, shown, linkedAt }) => [
      ...[label, shown, dateTime(linkedAt, language)],
      ...(mayChange(context) ? [unlink(id)] : []),
    ]),
    empty: texts.noIdentities,
  })}`;
};

/** One user, with everything that the directories and the accounts database have. */
export const showUser = async (context: PageContext): Promise<Answer> => {
  const { server, params, language, link, query } = context;
  const { subject = '' } = params;
  const texts = usersMessages(language);
  const common = commonMessages(language);
  if (server.users === undefined) return needsSection(context, common.nav.users, 'accounts');
  const [user, found] = await Promise.all([server.users.get({ subject }), server.users.credentials({ subject })]);
  const name = typeof user.claims.name === 'string' ? user.claims.name : user.logins[0];
  return page(
    name || user.subject,
    html`${query.has('sent') ? html`<p role="status">${texts.sent}</p>` : ''}
${facts(context, user)}
<ul>
<li><a href="${link('/sessions', { subject })}">${texts.sessions}</a></li>
<li><a href="${link('/sessions/consents', { subject })}">${texts.consents}</a></li>
<li><a href="${link('/events', { subject })}">${texts.events}</a></li>
</ul>
${claims(context, user)}
${factors(context, found)}
${identities(context, subject, found)}
${mayChange(context) ? userChanges(context, user) : html`<p>${common.viewerOnly}</p>`}`,
  );
};
