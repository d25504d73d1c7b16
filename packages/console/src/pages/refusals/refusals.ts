import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import type { RefusalMessages } from '../../messages/refusals/en.ts';
import { refusalsMessages } from '../../messages/refusals/index.ts';
import { changeForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { clientLink, userLink } from '../../page/ids.ts';
import { type Answer, type PageContext, type PageRoute, page } from '../../page/route.ts';
import { definitions, table } from '../../page/table.ts';
import { type CheckResult, type Diagnosis, references } from './checks.ts';
import { diagnose } from './diagnose.ts';

const form = ({ language, link }: PageContext): Html => {
  const { intro, field, check } = refusalsMessages(language);
  const input = textField({ name: 'text', label: field, lines: 8, required: true });
  return html`<p>${intro}</p>${changeForm(link('/refusals'), check, input)}`;
};

const valuesShown = (values: readonly string[] = []): Html =>
  html`${values.map((value, at) => html`${at === 0 ? '' : html`<br>`}<code>${value}</code>`)}`;

/** The values of the check that fails, above the table: a phone shows the columns of the table one by one. */
const compared = (
  { given, expected }: RefusalMessages['columns'],
  values: Pick<CheckResult, 'given' | 'expected'>,
): Html => {
  const shown = [
    [given, values.given],
    [expected, values.expected],
  ] as const;
  return definitions(shown.map(([name, each = []]) => [name, each.length === 0 ? undefined : valuesShown(each)]));
};

const verdict = ({ language }: PageContext, { checks, answer }: Diagnosis): Html => {
  const texts = refusalsMessages(language);
  const failed = checks.find(({ result }) => result === 'failed');
  const open = failed ?? checks.find(({ result }) => result === 'unknown');
  const title =
    failed !== undefined
      ? fill(texts.refused, { check: texts.checks[failed.id].name })
      : open !== undefined
        ? texts.undecided
        : texts.accepted;
  return html`<h2>${title}</h2>
${
  answer === undefined
    ? ''
    : html`<p>${texts.answer}: <code>${answer.error}</code>${answer.description === '' ? '' : `: ${answer.description}`}. ${answer.isToClient ? texts.toClient : texts.toUser}</p>`
}
${open === undefined ? '' : html`<p><strong>${texts.toDo}:</strong> ${texts.checks[open.id].remedy}</p>`}
${failed === undefined ? '' : compared(texts.columns, failed)}`;
};

const checkTable = ({ language }: PageContext, { checks }: Diagnosis): Html => {
  const texts = refusalsMessages(language);
  const { columns } = texts;
  return table({
    caption: texts.caption,
    columns: [columns.check, columns.result, columns.given, columns.expected, columns.reference],
    rows: checks.map(({ id, result, given, expected }) => {
      const { text, url } = references[id];
      const mark =
        result === 'failed'
          ? html`<strong data-failed="${id}">${texts.results.failed}</strong>`
          : texts.results[result];
      const link = html`<a href="${url}" rel="noreferrer">${text}</a>`;
      return [texts.checks[id].name, mark, valuesShown(given), valuesShown(expected), link];
    }),
    empty: '',
  });
};

/** For a code or token whose use cannot be examined: the refusals of the token endpoint, of its client if that is known. */
const refusalsLink = ({ server, language, link }: PageContext, { checks, clientId }: Diagnosis): Html => {
  const isUse = checks.some(({ id, result }) => (id === 'active' || id === 'codeUse') && result !== 'passed');
  if (!isUse || server.events === undefined) return html``;
  const type = 'token.refused';
  const target = link('/events', { type, client_id: clientId });
  return html`<p><a href="${target}">${commonMessages(language).nav.events}: ${type}</a></p>`;
};

const showForm = async (context: PageContext): Promise<Answer> =>
  page(commonMessages(context.language).nav.refusals, form(context));

/** A viewer may call it: it changes nothing. It is POST so that the text is in no URL. The text is not part of the page either. */
const showDiagnosis = async (context: PageContext): Promise<Answer> => {
  const { language, link, form: fields } = context;
  const texts = refusalsMessages(language);
  const found = await diagnose(context, fields.get('text') ?? '');
  const { clientId, subject, content = [] } = found;
  return page(
    commonMessages(language).nav.refusals,
    html`<p>${texts.kinds[found.kind]}</p>
${verdict(context, found)}
${refusalsLink(context, found)}
${checkTable(context, found)}
<h2>${texts.content}</h2>
${definitions([['client_id', clientLink(context, clientId)], ['sub', userLink(context, subject)], ...content])}
<p><a href="${link('/refusals')}">${texts.again}</a></p>`,
  );
};

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/refusals', role: 'viewer', answer: showForm },
  { method: 'POST', path: '/refusals', role: 'viewer', answer: showDiagnosis },
];
