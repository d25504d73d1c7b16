import { commonMessages } from '../messages/common/index.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './route.ts';

export interface TextField {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: 'text' | 'search' | 'url' | 'email' | 'number' | 'date';
  /** One sentence below the field. */
  readonly hint?: string | undefined;
  readonly required?: boolean;
  /** The number of lines. Default: one. */
  readonly lines?: number;
}

export const textField = ({ name, label, value = '', type = 'text', hint, required, lines }: TextField): Html => {
  const described = hint === undefined ? '' : html` aria-describedby="${name}-hint"`;
  const mandatory = required ? html` required` : '';
  const input =
    lines === undefined
      ? html`<input type="${type}" name="${name}" value="${value}" autocomplete="off"${mandatory}${described}>`
      : html`<textarea name="${name}" rows="${lines}" spellcheck="false"${mandatory}${described}>${value}</textarea>`;
  return html`<label>${label}${input}</label>${hint === undefined ? '' : html`<small id="${name}-hint">${hint}</small>`}`;
};

export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
}

export const choice = ({ name, label, value, options }: Choice): Html =>
  html`<label>${label}<select name="${name}">${options.map(
    ([each, text]) => html`<option value="${each}"${each === value ? html` selected` : ''}>${text}</option>`,
  )}</select></label>`;

export const checkbox = (name: string, label: string, checked = false, value = 'true'): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${checked ? html` checked` : ''}> ${label}</label>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A form whose fields become the query of the URL. */
export const queryForm = (action: string, fields: Html, submit: string): Html =>
  html`<form method="get" action="${action}">${fields}<button>${submit}</button></form>`;

/** A form that searches. The URL of its results can be shared. */
export const searchForm = (action: string, fields: Html, { language }: Pick<PageContext, 'language'>): Html =>
  html`<search>${queryForm(action, fields, commonMessages(language).search)}</search>`;

/** A form that changes something. */
export const changeForm = (action: string, submit: string, fields: Html = html``): Html =>
  html`<form method="post" action="${action}">${fields}<button>${submit}</button></form>`;

/** A form that sends a file. `accept`: the types that the browser offers. */
export const uploadForm = (
  action: string,
  submit: string,
  { name, label, hint, accept }: Pick<TextField, 'name' | 'label' | 'hint'> & { readonly accept: string },
  fields: Html,
): Html =>
  html`<form method="post" action="${action}" enctype="multipart/form-data">
<label>${label}<input type="file" name="${name}" accept="${accept}" required aria-describedby="${name}-hint"></label><small id="${name}-hint">${hint}</small>
${fields}<button>${submit}</button></form>`;

/**
 * A change that is hard to undo: its button is behind a summary, and a sentence says what happens. Works without a script.
 */
export const confirmedForm = (
  { language }: Pick<PageContext, 'language'>,
  {
    action,
    summary,
    warning,
    fields = html``,
  }: {
    readonly action: string;
    readonly summary: string;
    readonly warning: string;
    readonly fields?: Html;
  },
): Html =>
  html`<details><summary>${summary}</summary><p>${warning}</p>${changeForm(action, commonMessages(language).confirm, fields)}</details>`;

/** Whether the page shows its forms. The router refuses the requests of viewers in any case. */
export const mayChange = ({ operator }: Pick<PageContext, 'operator'>): boolean => operator.role === 'operator';
