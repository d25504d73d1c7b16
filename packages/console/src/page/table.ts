import { type Html, html } from './html.ts';

type Cell = Html | string | number | undefined;

export interface Table {
  /** The name of the rows, for readers who do not see the table. */
  readonly caption: string;
  readonly columns: readonly string[];
  /** One row for each item, one cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** Shown in place of a table without rows. */
  readonly empty: string;
}

/** A table. The first cell of a row is its header. At 320 px the table scrolls and the page does not. */
export const table = ({ caption, columns, rows, empty }: Table): Html => {
  if (rows.length === 0) return html`<p>${empty}</p>`;
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${first ?? ''}</th>${rest.map((cell) => html`<td>${cell ?? ''}</td>`)}</tr>`,
  )}</tbody>
</table></div>`;
};

/** Names and values. A value that is undefined is left out with its name. */
export const definitions = (entries: readonly (readonly [name: string, value: Cell])[]): Html =>
  html`<dl>${entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
