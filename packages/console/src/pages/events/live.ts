import { setTimeout as wait } from 'node:timers/promises';
import { eventsMessages } from '../../messages/events/index.ts';
import { html } from '../../page/html.ts';
import { encoded, limitedStream } from '../../page/limited-stream.ts';
import { needsSection } from '../../page/needs-section.ts';
import { pageSize } from '../../page/pager.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { filterParameters, filtersIn } from './filters.ts';
import { eventTable, filterForm } from './list.ts';
import { cellsOf, type ShownEvent } from './rows.ts';

/** Other processes may store an event of this time, in milliseconds, later than a newer one: clocks differ, and commits take time. */
const settleMs = 60_000;
const pauseMs = 2_000;
/** A stream ends after this time, and the browser opens it again: so that the operator is checked as for a request. */
const longestMs = 60_000;

type Live = Pick<PageContext, 'server' | 'query' | 'signal' | 'now' | 'language' | 'link'>;

const searchRecent = async ({ server, query, language, now }: Live): Promise<readonly ShownEvent[]> => {
  const { since: _since, until: _until, id: _id, ...filters } = filtersIn(query, eventsMessages(language));
  const since = new Date(now() - settleMs);
  return (await server.events?.search({ ...filters, since, limit: 100 }))?.events ?? [];
};

const lineOf = async (context: Live, event: ShownEvent): Promise<string> => {
  const cells = await Promise.all(cellsOf(context, event).map(async (cell) => String((await cell) ?? '')));
  return `id: ${event.id}\ndata: ${JSON.stringify(cells)}\n\n`;
};

/** New events, each once. Those that the page shows already are not sent. */
async function* newEvents(context: Live): AsyncGenerator<string> {
  const { signal, now } = context;
  const end = now() + longestMs;
  const seen = new Set((await searchRecent(context)).map(({ id }) => id));
  yield `retry: 1000\n\n`;
  while (now() < end && !signal.aborted) {
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const fresh = (await searchRecent(context)).filter(({ id }) => !seen.has(id));
    for (const event of fresh.toReversed()) {
      seen.add(event.id);
      yield await lineOf(context, event);
    }
    // Proxies close connections without traffic.
    if (fresh.length === 0) yield ':\n\n';
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Server-sent events. The cells are escaped as those of the page are. */
export const streamEvents = async (context: PageContext): Promise<Answer> =>
  limitedStream(
    context,
    longestMs,
    (signal) => new Response(encoded(newEvents({ ...context, signal })), { headers: streamHeaders }),
  );

/** The page of live events. With a script it gets events by itself, without one it reloads. */
export const showLive = async (context: PageContext): Promise<Answer> => {
  const { query, language, link, server } = context;
  const texts = eventsMessages(language);
  if (server.events === undefined) return needsSection(context, texts.liveTitle, 'events');
  const { since: _since, until: _until, id: _id, ...filters } = filtersIn(query, texts);
  const { events } = await server.events.search({ ...filters, limit: pageSize });
  const parameters = filterParameters(query);
  return page(
    texts.liveTitle,
    html`<p><a href="${link('/events', parameters)}">${texts.past}</a></p>
${filterForm(context, '/events/live')}
<p>${texts.liveHint} <span role="status" data-live="${link('/events/stream', parameters)}" data-connected="${texts.connected}" data-lost="${texts.lost}"></span></p>
<noscript><meta http-equiv="refresh" content="10"><p>${texts.liveWithout}</p></noscript>
${eventTable(context, events)}
<script src="${link('/events/live.js')}" defer></script>`,
  );
};
