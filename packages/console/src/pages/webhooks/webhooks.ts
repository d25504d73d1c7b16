import { CarnetError } from '@carnet/provider';
import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { webhooksMessages } from '../../messages/webhooks/index.ts';
import { dateTime, duration } from '../../page/dates.ts';
import { changeForm, mayChange } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { eventLink, webhookPath } from '../../page/ids.ts';
import { needsSection } from '../../page/needs-section.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import { definitions, table } from '../../page/table.ts';
import type { ConsoleServer } from '../../server/console-server.ts';

type Webhooks = NonNullable<ConsoleServer['events']>['webhooks'];
type Status = Awaited<ReturnType<Webhooks['list']>>[number];

/** Events are handled within seconds. A webhook that is later by this many seconds has a backlog. */
const backlogSeconds = 120;

const webhooksOf = ({ server }: PageContext): Webhooks => {
  if (server.events === undefined) throw new CarnetError('not_found', 'No events are configured.');
  return server.events.webhooks;
};

/** Until when all events are handled, and how far that is behind. */
const handledThrough = ({ language, now }: PageContext, { handledThrough: through }: Status): Html => {
  const texts = webhooksMessages(language);
  if (through === undefined) return html`${texts.never}`;
  const behind = (now() - new Date(through).getTime()) / 1_000;
  const backlog = behind > backlogSeconds ? ` (${fill(texts.behind, { duration: duration(behind, language) })})` : '';
  return html`${dateTime(through, language)}${backlog}`;
};

const typesOf = ({ language }: PageContext, { types }: Status): string =>
  types?.join(', ') ?? webhooksMessages(language).allTypes;

const listWebhooks = async (context: PageContext): Promise<Answer> => {
  const { server, language, link } = context;
  const texts = webhooksMessages(language);
  const common = commonMessages(language);
  if (server.events === undefined) return needsSection(context, common.nav.webhooks, 'events');
  const found = await server.events.webhooks.list();
  return page(
    common.nav.webhooks,
    table({
      caption: texts.caption,
      columns: Object.values(texts.columns),
      rows: found.map((webhook) => [
        html`<a href="${link(webhookPath(webhook.name))}">${webhook.name}</a>`,
        texts.states[webhook.state],
        typesOf(context, webhook),
        webhook.retries,
        webhook.failed,
        handledThrough(context, webhook),
      ]),
      empty: texts.noWebhooks,
    }),
  );
};

const failedTable = async (context: PageContext, name: string): Promise<Html> => {
  const { language } = context;
  const texts = webhooksMessages(language);
  const failed = await webhooksOf(context).failed(name);
  return html`<h2>${texts.failed}</h2><p>${texts.failedHint}</p>${table({
    caption: texts.failed,
    columns: Object.values(texts.failedColumns),
    rows: failed.map(({ id, failedAt, attempts, reason }) => [
      eventLink(context, id),
      dateTime(failedAt, language),
      attempts,
      reason,
    ]),
    empty: texts.noFailed,
  })}`;
};

const changes = ({ language, link }: PageContext, name: string): Html => {
  const texts = webhooksMessages(language);
  return html`${changeForm(link(`${webhookPath(name)}/retry`), texts.retry)}<p><small>${texts.retryHint}</small></p>
${changeForm(link(`${webhookPath(name)}/test`), texts.test)}<p><small>${texts.testHint}</small></p>`;
};

const showWebhook = async (context: PageContext): Promise<Answer> => {
  const { params, language, query } = context;
  const { name = '' } = params;
  const { columns, states, retried } = webhooksMessages(language);
  const webhook = (await webhooksOf(context).list()).find((each) => each.name === name);
  if (webhook === undefined) throw new CarnetError('not_found', 'There is no webhook with this name.');
  return page(
    name,
    html`${query.has('retried') ? html`<p role="status">${retried}</p>` : ''}
${definitions([
  [columns.state, states[webhook.state]],
  [columns.types, typesOf(context, webhook)],
  [columns.retries, webhook.retries],
  [columns.failed, webhook.failed],
  [columns.handled, handledThrough(context, webhook)],
])}
${mayChange(context) ? changes(context, name) : html`<p>${commonMessages(language).viewerOnly}</p>`}
${await failedTable(context, name)}`,
  );
};

const retryWebhook = async (context: PageContext): Promise<Answer> => {
  const { name = '' } = context.params;
  await webhooksOf(context).retry(name);
  context.audit('console.webhook.retry', { webhook: name });
  return redirect(context.link(webhookPath(name), { retried: '1' }));
};

const testWebhook = async (context: PageContext): Promise<Answer> => {
  const { name = '' } = context.params;
  const texts = webhooksMessages(context.language);
  const { status, reason } = await webhooksOf(context).test(name);
  context.audit('console.webhook.test', { webhook: name });
  return page(
    texts.result,
    html`<p role="status">${texts.results[status]}</p>${definitions([[texts.reason, reason]])}
<p><a href="${context.link(webhookPath(name))}">${texts.back}</a></p>`,
  );
};

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/webhooks', role: 'viewer', answer: listWebhooks },
  { method: 'GET', path: '/webhooks/:name', role: 'viewer', answer: showWebhook },
  { method: 'POST', path: '/webhooks/:name/retry', role: 'operator', answer: retryWebhook },
  { method: 'POST', path: '/webhooks/:name/test', role: 'operator', answer: testWebhook },
];
