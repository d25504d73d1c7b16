import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../packages/provider/test/conformance/', import.meta.url);
const document = new URL('../../docs/concepts/conformance.md', import.meta.url);
const [begin, end] = [
  '<!-- Generated from the titles of the tests by `npm run docs:write`. -->\n',
  '<!-- /Generated -->',
];

/** `3.1.2.10` after `3.1.2.9`. */
const bySection = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

/** The sections that titles begin with: `3.1.2.1, 15.1 the request ...`. */
const sectionsIn = (source: string): readonly string[] => {
  const titles = source.matchAll(/['"`](\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*)(?:, [A-Z]\w+ [\d.]+)? [%a-zA-Z]/g);
  return [...new Set([...titles].flatMap(([, sections = '']) => sections.split(', ')))].toSorted(bySection);
};

const rowOf = (file: string): string => {
  const source = readFileSync(new URL(file, folder), 'utf8');
  const text = /^describe(?:\.\w+)?\(\s*['"`]([^'"`]+)['"`]/m.exec(source)?.[1] ?? file;
  return `| ${text} | ${sectionsIn(source).join(', ')} | \`${file}\` |\n`;
};

const table = (): string => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return `| text | sections | tests |\n| --- | --- | --- |\n${files.toSorted().map(rowOf).join('')}`;
};

/** docs/concepts/conformance.md, its table made of the titles of the tests there are. */
export const conformanceDocs = (): string => {
  const written = readFileSync(document, 'utf8');
  const [before = '', rest = ''] = written.split(begin);
  return `${before}${begin}\n${table()}\n${end}${rest.split(end)[1] ?? ''}`;
};
