import { clientImportMessages } from '../../messages/client-import/index.ts';
import { clientsMessages } from '../../messages/clients/index.ts';
import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { dateTime, duration } from '../../page/dates.ts';
import { mayChange, searchForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import { type PageContext, type PageRoute, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import { clientIndexOf } from './client-index.ts';
import { type ClientRow, clientLink, rowOf } from './client-row.ts';
import { findIfAny } from './find-client.ts';

interface Listed {
  readonly rows: readonly ClientRow[];
  readonly next: string | undefined;
  readonly note?: string;
}

const search = async (context: PageContext, text: string): Promise<Listed> => {
  const { server, now, language } = context;
  const texts = clientsMessages(language).list;
  const query = pageQueryIn(context);
  const [{ rows, next, ageMs, isPartial }, exact] = await Promise.all([
    clientIndexOf({ clients: server.clients, now }).search(text, query),
    // Another process may have registered it since the index was read.
    query.after === undefined ? findIfAny(context, text) : undefined,
  ]);
  const others = rows.filter(({ id }) => id !== exact?.client_id);
  const age = fill(texts.age, { age: duration(ageMs / 1_000, language) });
  return {
    rows: exact === undefined ? others : [rowOf(exact), ...others],
    next,
    note: isPartial ? `${age} ${texts.partial}` : age,
  };
};

const listAll = async (context: PageContext): Promise<Listed> => {
  const { items, next } = await context.server.clients.list(pageQueryIn(context));
  return { rows: items.map(rowOf), next };
};

const rowsTable = (context: PageContext, rows: readonly ClientRow[]): Html => {
  const texts = clientsMessages(context.language);
  const { name, id, kind, hosts, updated } = texts.list.columns;
  return table({
    caption: texts.list.title,
    columns: [name, id, kind, hosts, updated],
    empty: commonMessages(context.language).empty,
    rows: rows.map((row) => [
      clientLink(context, row),
      html`<code>${row.id}</code>`,
      texts.kinds[row.kind].name,
      html`<bdi>${row.hosts.slice(0, 3).join(', ')}${row.hosts.length > 3 ? ' …' : ''}</bdi>`,
      dateTime(row.updatedAt, context.language),
    ]),
  });
};

const answer: PageRoute['answer'] = async (context) => {
  const { language, link, query } = context;
  const texts = clientsMessages(language).list;
  const text = query.get('q')?.trim() ?? '';
  const { rows, next, note } = text === '' ? await listAll(context) : await search(context, text);
  const field = textField({ name: 'q', label: texts.search, value: text, type: 'search' });
  return page(
    texts.title,
    html`${searchForm(link('/clients'), field, context)}
${mayChange(context) ? html`<p><a href="${link('/new-client')}">${texts.create}</a> · <a href="${link('/import-clients')}">${clientImportMessages(language).title}</a></p>` : ''}
${rowsTable(context, rows)}${note === undefined ? '' : html`<p><small>${note}</small></p>`}
${pager(context, '/clients', next)}`,
  );
};

/** The list of clients, and the search by name, id and redirect host. Its state is in the URL. */
export const routes: readonly PageRoute[] = [{ method: 'GET', path: '/clients', role: 'viewer', answer }];
