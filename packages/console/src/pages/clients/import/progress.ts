import { clientImportMessages } from '../../../messages/client-import/index.ts';
import { fill } from '../../../messages/fill.ts';
import { formatNumber } from '../../../page/dates.ts';
import { type Html, html } from '../../../page/html.ts';
import { clientLink } from '../../../page/ids.ts';
import type { PageContext } from '../../../page/route.ts';
import { definitions } from '../../../page/table.ts';
import type { Outcome, Result } from './attempts.ts';

type Context = Pick<PageContext, 'language' | 'link'>;
/** In the order of the pages. */
const counted = ['ready', 'created', 'existing', 'refused'] as const;
type Counted = (typeof counted)[number];

/** The clients with each outcome. */
export type Counts = Readonly<Partial<Record<Counted, number>>>;

const countedAs = ({ type }: Outcome): Counted | undefined => {
  if (type === 'repeated') return 'refused';
  return type === 'failed' ? undefined : type;
};

export const withResults = (counts: Counts, results: readonly Result[]): Counts => {
  const sums: Partial<Record<Counted, number>> = { ...counts };
  for (const { outcome } of results) {
    const name = countedAs(outcome);
    if (name !== undefined) sums[name] = (sums[name] ?? 0) + 1;
  }
  return sums;
};

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The secret that the server has generated. One of the file is not shown: the operator has it. */
const newSecretOf = ({ entry: { exported }, outcome }: Result): string | undefined => {
  if (outcome.type !== 'created') return undefined;
  const { client_secret: secret } = outcome.client;
  return secret === exported.client_secret ? undefined : secret;
};

/** The sentences about a client. Those of the server are in English, and may quote an id: `bdi` keeps their direction apart. */
const sentencesOf = ({ language }: Context, { entry, outcome }: Result): readonly (Html | string)[] => {
  const texts = clientImportMessages(language);
  const english = (text: string): Html => html`<bdi lang="en">${text}</bdi>`;
  if (outcome.type === 'repeated') return [texts.repeated];
  if (outcome.type === 'refused') return [english(outcome.reason)];
  if (outcome.type !== 'ready' && outcome.type !== 'created') return [];
  const needsSecret = outcome.type === 'ready' && outcome.needsSecret ? [texts.needsSecret] : [];
  return [...outcome.notes.map(english), ...needsSecret, ...(entry.id === undefined ? [texts.noId] : [])];
};

/** The name of a client in the list: a link if it is registered. */
const nameOf = (context: Context, { entry: { id }, outcome }: Result): Html => {
  if (outcome.type === 'created') return html`<bdi>${clientLink(context, outcome.client.client_id)}</bdi>`;
  if (outcome.type === 'existing') return html`<bdi>${clientLink(context, id)}</bdi>`;
  return html`<bdi>${(id ?? '').slice(0, 255)}</bdi>`;
};

const itemOf = (context: Context, result: Result): Html => {
  const { outcomes, secret: secretText } = clientImportMessages(context.language);
  const name = countedAs(result.outcome);
  const secret = newSecretOf(result);
  const sentences = sentencesOf(context, result);
  return html`<li value="${result.entry.number}">${nameOf(context, result)} <strong>${outcomes[name ?? 'skipped']}</strong>${
    secret === undefined ? '' : html`<br>${fill(secretText, { secret: '' })}<code>${secret}</code>`
  }${sentences.length === 0 ? '' : html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}</li>`;
};

/** A client without a remark of the check is only counted. */
const isShown = (context: Context, result: Result): boolean =>
  result.outcome.type !== 'ready' || sentencesOf(context, result).length > 0;

/** The results as a list that has the numbers of the file. */
export const resultList = (context: Context, results: readonly Result[]): Html => {
  const shown = results.filter((result) => isShown(context, result));
  return shown.length === 0 ? html`` : html`<ol>${shown.map((result) => itemOf(context, result))}</ol>`;
};

const countsOf = ({ language }: Context, counts: Counts): readonly (readonly [string, string])[] => {
  const { outcomes } = clientImportMessages(language);
  return counted.flatMap((name) => {
    const count = counts[name];
    return count === undefined ? [] : [[outcomes[name], formatNumber(count, language)] as const];
  });
};

/** The progress. The stylesheet shows the last one of a page only, so that it seems to move without a script. */
export const step = (context: Context, counts: Counts, all: number): Html => {
  const { language } = context;
  const texts = clientImportMessages(language);
  const done = sumOf(counts);
  const text = fill(texts.step, { done: formatNumber(done, language), all: formatNumber(all, language) });
  const parts = countsOf(context, counts).map(([name, count]) => `${name}: ${count}`);
  return html`<div class="step"><progress aria-label="${texts.progress}" value="${done}" max="${all}"></progress><p>${[text, ...parts].join(' · ')}</p></div>`;
};

/** The counts at the end. */
export const summary = (context: Context, { counts, all, hasNewSecrets }: Summary): Html => {
  const { language } = context;
  const texts = clientImportMessages(language);
  const skipped = all - sumOf(counts);
  return html`<h2>${texts.result}</h2>${definitions([
    ...countsOf(context, counts),
    [texts.outcomes.skipped, skipped === 0 ? undefined : formatNumber(skipped, language)],
  ])}${hasNewSecrets ? html`<p><strong>${texts.secretsOnce}</strong></p>` : ''}<p><a href="#main">${texts.top}</a></p>`;
};

export interface Summary {
  readonly counts: Counts;
  readonly all: number;
  readonly hasNewSecrets: boolean;
}

/** Whether the import would generate a secret for the client. */
export const needsSecret = ({ outcome }: Result): boolean => outcome.type === 'ready' && outcome.needsSecret;

/** The warning before an import that generates secrets: the apps have others, and a second import changes nothing. */
export const secretWarning = ({ language }: Context, count: number): Html =>
  count === 0
    ? html``
    : html`<p><strong>${fill(clientImportMessages(language).newSecrets, { count: formatNumber(count, language) })}</strong></p>`;

export const hasNewSecret = (result: Result): boolean => newSecretOf(result) !== undefined;
