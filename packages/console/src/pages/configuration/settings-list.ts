import { commonMessages } from '../../messages/common/index.ts';
import { configurationMessages } from '../../messages/configuration/index.ts';
import { choice, searchForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { markedText } from '../../page/marked-text.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import type { PageContext } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import type { Setting } from '../../server/console-server.ts';

/** A source that is a word; the names of variables and flags stay as they are. */
const sourceOf = ({ language }: PageContext, source: string): string =>
  new Map<string, string>(Object.entries(configurationMessages(language).sources)).get(source) ?? source;

const isMatch = ({ key, value, description = '' }: Setting, words: readonly string[]): boolean => {
  const text = `${key} ${value} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The settings that the URL selects, a page of them. */
export const settingsList = (context: PageContext, all: readonly Setting[]): Html => {
  const { language, link, query } = context;
  const texts = configurationMessages(language);
  const text = query.get('q')?.slice(0, 256) ?? '';
  const isSetOnly = query.get('only') === 'set';
  const { after, limit } = pageQueryIn(context);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((setting) => isMatch(setting, words) && !(isSetOnly && setting.source === 'default'));
  const start = after === undefined ? 0 : found.findIndex(({ key }) => key === after) + 1;
  const shown = found.slice(start, start + limit);
  const next = found.length > start + limit ? shown.at(-1)?.key : undefined;
  const fields = html`${textField({ name: 'q', label: texts.search, value: text, type: 'search' })}${choice({
    name: 'only',
    label: texts.only,
    value: isSetOnly ? 'set' : '',
    options: [
      ['', texts.all],
      ['set', texts.set],
    ],
  })}`;
  const { key, value, source, description } = texts.columns;
  return html`${searchForm(link('/configuration'), fields, context)}${table({
    caption: texts.title,
    columns: [key, value, source, description],
    empty: commonMessages(language).empty,
    rows: shown.map((setting) => [
      html`<code>${setting.key}</code>`,
      setting.value === '' ? texts.unset : html`<code>${setting.value}</code>`,
      sourceOf(context, setting.source),
      markedText(setting.description ?? ''),
    ]),
  })}${pager(context, '/configuration', next)}`;
};
