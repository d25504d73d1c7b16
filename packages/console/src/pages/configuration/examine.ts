import { configurationMessages } from '../../messages/configuration/index.ts';
import { changeForm, choice, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import type { PageContext } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import type { ChangeScope, ExaminedConfiguration } from '../../server/console-server.ts';

/** The form that asks what a change needs. It is sent by POST, because the text may have secrets. */
export const examineForm = ({ language, link, form }: PageContext): Html => {
  const { examine } = configurationMessages(language);
  const fields = html`${textField({ name: 'text', label: examine.text, value: form.get('text') ?? '', lines: 10, required: true })}
${choice({
  name: 'scope',
  label: examine.scope,
  value: form.get('scope') ?? 'keys',
  options: [
    ['keys', examine.scopes.keys],
    ['whole', examine.scopes.whole],
  ],
})}`;
  return html`<h2>${examine.title}</h2><p>${examine.about}</p>${changeForm(link('/configuration/examine'), examine.submit, fields)}`;
};

export const scopeIn = ({ form }: Pick<PageContext, 'form'>): ChangeScope =>
  form.get('scope') === 'whole' ? 'whole' : 'keys';

/** Texts, one in each item of a list. */
export const listOf = (texts: readonly string[], none: string): Html =>
  texts.length === 0 ? html`<p>${none}</p>` : html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;

/** The problems, warnings and changes of a text. */
export const examinedShown = (
  { language }: PageContext,
  { problems, warnings, changes }: ExaminedConfiguration,
): Html => {
  const texts = configurationMessages(language);
  const { examine, concerns, columns } = texts;
  return html`<h2>${examine.problems}</h2>${listOf(problems, examine.noProblems)}
<h2>${texts.warnings}</h2>${listOf(warnings, texts.noWarnings)}
<h2>${examine.changes}</h2>${table({
    caption: examine.changes,
    columns: [columns.key, examine.before, examine.after, examine.needs],
    empty: examine.noChanges,
    rows: changes.map(({ key, before, after, concern }) => [
      html`<code>${key}</code>`,
      before === '' ? texts.unset : html`<code>${before}</code>`,
      after === '' ? texts.unset : html`<code>${after}</code>`,
      concern === undefined ? examine.restart : concerns[concern],
    ]),
  })}`;
};
