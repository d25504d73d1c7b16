import { commonMessages } from '../../messages/common/index.ts';
import { eventsMessages } from '../../messages/events/index.ts';
import { dateTime } from '../../page/dates.ts';
import { hidden, searchForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { needsSection } from '../../page/needs-section.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import { filterParameters, filtersIn } from './filters.ts';
import { cellsOf, type ShownEvent } from './rows.ts';

/** The filters as a form, of which the URL is the state. */
export const filterForm = (context: PageContext, path: '/events' | '/events/live'): Html => {
  const { query, link, language } = context;
  const texts = eventsMessages(language);
  const field = (name: string, label: string, hint?: string): Html =>
    textField({ name, label, type: 'search', value: query.get(name) ?? '', hint });
  const times =
    path === '/events'
      ? html`${field('since', texts.since, texts.timeHint)}${field('until', texts.until, texts.timeHint)}`
      : '';
  const id = query.get('id');
  return searchForm(
    link(path),
    html`${field('request_id', texts.request, texts.requestHint)}
${field('subject', texts.subject)}${field('client_id', texts.client)}${field('type', texts.type, texts.typeHint)}
${times}${id ? hidden('id', id) : ''}`,
    context,
  );
};

export const eventTable = (context: PageContext, events: readonly ShownEvent[]): Html => {
  const { caption, columns } = eventsMessages(context.language);
  return table({
    caption,
    columns: Object.values(columns),
    rows: events.map((event) => cellsOf(context, event)),
    empty: commonMessages(context.language).empty,
  });
};

/** The events that are kept, newest first. */
export const listEvents = async (context: PageContext): Promise<Answer> => {
  const { server, query, language, link } = context;
  const texts = eventsMessages(language);
  const common = commonMessages(language);
  if (server.events === undefined) return needsSection(context, common.nav.events, 'events');
  const found = await server.events.search({ ...filtersIn(query, texts), ...pageQueryIn(context) });
  return page(
    common.nav.events,
    html`<p><a href="${link('/events/live', filterParameters(query))}">${texts.live}</a></p>
${filterForm(context, '/events')}
${eventTable(context, found.events)}
<p>${texts.searched} ${dateTime(found.searchedThrough, language)}. ${texts.refusalsHint}</p>
${pager(context, '/events', found.next)}`,
  );
};
