import type { OAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { dateTime, formatNumber } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import { type PageContext, type PageRoute, page } from '../../page/route.ts';
import { definitions } from '../../page/table.ts';
import { backLink } from './detail.ts';
import { findClient } from './find-client.ts';

const daySeconds = 86_400;
const pageSize = 500;
/** The pages of events that one request reads at most. Events have no index by client. */
const maxPages = 10;

interface Usage {
  readonly counts: Readonly<Record<string, number>>;
  readonly users: number;
  /** The time of the newest event. */
  readonly last: string | undefined;
  /** How far back the events are counted, if not all of them were read. */
  readonly since: Date | undefined;
}

/** Counts the events of the last day that name the client, newest first. */
const readUsage = async (
  { server: { events }, now, signal }: PageContext,
  clientId: string,
): Promise<Usage | undefined> => {
  if (events === undefined) return undefined;
  const counts: Record<string, number> = {};
  const users = new Set<string>();
  const query = {
    clientId,
    since: new Date(now() - daySeconds * 1_000),
    types: ['login.*', 'token.*'],
    limit: pageSize,
  };
  let last: string | undefined;
  for (let after: string | undefined, pages = 1; ; pages++) {
    const found = await events.search({ ...query, after });
    for (const { type, timestamp, data } of found.events) {
      counts[type] = (counts[type] ?? 0) + 1;
      if (data.subject !== undefined) users.add(data.subject);
      last ??= timestamp;
    }
    after = found.next;
    const isWhole = after === undefined;
    if (isWhole || pages === maxPages || signal.aborted) {
      return { counts, users: users.size, last, since: isWhole ? undefined : found.searchedThrough };
    }
  }
};

const usageOf = ({ language }: PageContext, used: Usage | undefined): Html => {
  const { usage } = clientsMessages(language);
  if (used === undefined) return html`<p>${usage.noEvents}</p>`;
  const { counts, users, last, since } = used;
  const count = (type: string) => formatNumber(counts[type] ?? 0, language);
  const partial = since === undefined ? '' : html`<p>${usage.partial} ${dateTime(since, language)}</p>`;
  if (last === undefined) return html`${partial}<p>${usage.none}</p>`;
  return html`${partial}${definitions([
    [usage.logins, count('login.succeeded')],
    [usage.denied, count('login.denied')],
    [usage.users, formatNumber(users, language)],
    [usage.tokens, count('token.issued')],
    [usage.refused, count('token.refused')],
    [usage.last, dateTime(last, language)],
  ])}`;
};

const isLifespan = (entry: [string, unknown]): entry is [string, string] =>
  entry[0].endsWith('_lifespan') && typeof entry[1] === 'string';

const grantsOf = ({ language }: PageContext, client: OAuth2Client): Html => {
  const { usage, detail } = clientsMessages(language);
  const { none } = commonMessages(language);
  const lifespans = Object.entries(client).filter(isLifespan);
  return html`${definitions([
    [usage.grants, client.grant_types.join(', ') || none],
    [usage.scopes, client.scope || none],
    [usage.audiences, client.audience.join(', ') || none],
  ])}<h2>${detail.lifespans}</h2>${lifespans.length === 0 ? html`<p>${detail.defaultLifespans}</p>` : definitions(lifespans)}`;
};

const answer: PageRoute['answer'] = async (context) => {
  const { usage } = clientsMessages(context.language);
  const client = await findClient(context);
  const used = await readUsage(context, client.client_id);
  return page(
    fill(usage.title, { name: client.client_name || client.client_id }),
    html`<h2>${usage.since}</h2>${usageOf(context, used)}${grantsOf(context, client)}${backLink(context, client)}`,
  );
};

/** Who used a client in the last day, and what it may do. */
export const routes: readonly PageRoute[] = [{ method: 'GET', path: '/clients/:id/usage', role: 'viewer', answer }];
