import type { FigureSource } from '../../charts/figure-source.ts';
import { bars } from '../../charts/line-chart.ts';
import { fill } from '../../messages/fill.ts';
import { keysMessages } from '../../messages/keys/index.ts';
import { overviewMessages } from '../../messages/overview/index.ts';
import { duration } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import { limitedStream } from '../../page/limited-stream.ts';
import { markedText } from '../../page/marked-text.ts';
import { type PageContext, type PageRoute, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import { readSigningKeys } from '../keys/signing-keys.ts';
import { figures } from './figures.ts';
import { liveFigures, liveStream, longestMs } from './live.ts';

const keysOf = async (context: PageContext): Promise<Html> => {
  const { language, link, now } = context;
  const texts = overviewMessages(language);
  const { columns, states, unknown } = keysMessages(language);
  const { keys } = await readSigningKeys(context).catch(() => ({ keys: [] }));
  const rows = keys.map(({ kid, alg, state, createdAt }) => [
    html`<a href="${link('/keys')}">${kid}</a>`,
    alg,
    states[state],
    createdAt ? duration((now() - createdAt.getTime()) / 1_000, language) : unknown,
  ]);
  return table({
    caption: texts.keys,
    columns: [texts.kid, texts.algorithm, columns.state, columns.age],
    rows,
    empty: '',
  });
};

const checksOf = async ({ server, language }: PageContext): Promise<Html> => {
  const texts = overviewMessages(language);
  const checks = await server.checks?.();
  if (checks === undefined) return html`<p>${markedText(texts.noChecks)}</p>`;
  const order = ['problem', 'warning', 'ok'];
  const sorted = checks.toSorted((left, right) => order.indexOf(left.result) - order.indexOf(right.result));
  const rows = sorted.map(({ name, result, message }) => [name, texts.results[result], markedText(message)]);
  return table({ caption: texts.checks, columns: [texts.check, texts.result, texts.message], rows, empty: '' });
};

const mostLogins = 500;
const mostClients = 10;

/** One query: the latest logins among the stored events, counted by client. */
const clientsOf = async ({ server, language }: PageContext): Promise<Html> => {
  const texts = overviewMessages(language);
  const found = await server.events?.search({ types: ['login.succeeded'], limit: mostLogins });
  if (found === undefined) return html`<p>${markedText(texts.clientsNeedEvents)}</p>`;
  if (found.events.length === 0) return html``;
  const counts = new Map<string, number>();
  for (const { data } of found.events) {
    const id = String(data.client_id ?? '');
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, mostClients);
  return html`${bars(texts.clients, most)}<p><small>${fill(texts.clientsNote, { count: found.events.length })}</small></p>`;
};

const showOverview = (source: FigureSource) => async (context: PageContext) => {
  const { server, language, link } = context;
  const texts = overviewMessages(language);
  const [live, pictures, keys, checks, clients, configuration] = await Promise.all([
    liveFigures(server, source, language),
    figures(source, context),
    keysOf(context),
    checksOf(context),
    clientsOf(context),
    server.configuration?.(),
  ]);
  const workers = configuration?.settings.find(({ key }) => key === 'workers')?.value;
  const { store, logins, refusals, requests, p95, memory } = texts;
  const named = Object.entries({ store, logins, refusals, requests, p95, memory });
  const values: Readonly<Record<string, string>> = live;
  return page(
    texts.title,
    html`<p>${texts.issuer}: <strong>${server.issuer}</strong></p>
<dl class="tiles" data-live="${link('/overview/live')}">${named.map(
      ([name, label]) => html`<div><dt>${label}</dt><dd data-figure="${name}">${values[name]}</dd></div>`,
    )}${workers === undefined ? '' : html`<div><dt>${texts.workers}</dt><dd>${workers}</dd></div>`}</dl>
${pictures}${clients}${checks}${keys}
<script src="${link('/assets/live.js')}" type="module"></script>`,
  );
};

/** The overview, and its figures as a stream. */
export const createOverviewRoutes = (source: FigureSource): readonly PageRoute[] => [
  { method: 'GET', path: '/', role: 'viewer', answer: showOverview(source) },
  {
    method: 'GET',
    path: '/overview/live',
    role: 'viewer',
    async answer(context) {
      const { server, language, signal } = context;
      return limitedStream(context, longestMs, () => liveStream(() => liveFigures(server, source, language), signal));
    },
  },
];
