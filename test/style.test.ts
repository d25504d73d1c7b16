import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Words that readers stumble over, with better ones. Paths such as `test/fast-path` are not words. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\b(?:persons?|people|somebody|anybody|everybody|nobody|whoever)\b/i, 'user, client, caller, attacker'],
  [/\bstrangers?\b/i, 'unknown client, unauthenticated caller'],
  [/\btold\b/i, 'notified, delivered, returned'],
  [/(?<![/.])\blean\b(?![/.])/i, 'fast path'],
  [/\b(?:vouch\w*|spill(?:s|ed|ing)?)\b/i, 'quota exemption, stored by reference'],
  [/\b(?:go|goes|going|went) on\b/i, 'continue, resume'],
  [/\bbefalls?\b/i, 'a simple verb'],
  [/\bnone the worse\b/i, 'unaffected'],
  [/\bstands? in (?:the|both) stores?\b/i, 'is stored'],
  [/\b(?:let|lets) go\b/i, 'released'],
];

/** A comment begins with a subject or a verb. */
const beginnings = /^(?:Of|What|Whatever|Whoever|Whose|With whom) /;

interface Line {
  readonly number: number;
  readonly text: string;
  /** Whether the line begins a comment. */
  readonly begins?: boolean;
}

const linesOf = (text: string): readonly Line[] =>
  text.split('\n').map((line, index) => ({ number: index + 1, text: line }));

/** The lines of line and block comments. A `//` inside of a string is preceded by a colon, not by white space. */
const commentsOf = (source: string): readonly Line[] => {
  let isBlock = false;
  let isLine = false;
  return linesOf(source).flatMap(({ number, text }) => {
    const [, opening, block] = /^\s*(\/\*\*?)?\s*(.*?)(?:\s*\*\/)?$/.exec(text) ?? [];
    const wasBlock = isBlock;
    if (opening !== undefined || isBlock) {
      isBlock = !text.includes('*/');
      const content = (block ?? '').replace(/^\*(?:\s|$)/, '');
      // The first line of a block may be empty.
      const isFirst = opening !== undefined || (wasBlock && /^\s*\/\*\*$/.test(source.split('\n')[number - 2] ?? ''));
      return [{ number, text: content, begins: isFirst }];
    }
    const line = /(?:^|\s)\/\/ (.*)$/.exec(text)?.[1];
    const begins = !isLine;
    isLine = line !== undefined;
    return line === undefined ? [] : [{ number, text: line, begins }];
  });
};

const problemsIn = (path: string, lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ number, text, begins }) => {
    const found = words.flatMap(([word, better]) => {
      const match = word.exec(text)?.[0];
      return match === undefined ? [] : [`${path}:${number} "${match}": write ${better}`];
    });
    const beginning = begins ? beginnings.exec(text)?.[0] : undefined;
    return beginning === undefined ? found : [...found, `${path}:${number} begins with "${beginning}"`];
  });

const find = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: (path) => String(path).includes('node_modules') }).toSorted();
const read = (path: string): string => readFileSync(root + path, 'utf8');

const documents = find(
  'README.md',
  'docs/**/*.md',
  'docs/**/*.json',
  'packages/*/README.md',
  'bench/README.md',
  'examples/*/README.md',
);
const sources = find('packages/*/src/**/*.{ts,tsx}').filter((path) => !/\.test\.tsx?$/.test(path));

const tests = find('{packages,test,bench,examples}/**/*.test.{ts,tsx}').filter((path) => path !== 'test/style.test.ts');

/** Titles that continue the one before, or lack a subject: each is read alone in a report. */
const dependentTitle = /(?:\b(?:it|test|describe)(?:\.\w+)*|[\])])\(\s*['"`]((?:but|nor|not|is|only)\b[^\n]*)/g;
const dependentTitles = (path: string, source: string): readonly string[] =>
  [...source.matchAll(dependentTitle)].map(([, title]) => `${path}: ${title}`);

describe('the words of this project', () => {
  it('let each title of a test be read alone', () => {
    expect(tests.length).toBeGreaterThan(400);
    expect(tests.flatMap((path) => dependentTitles(path, read(path)))).toEqual([]);
  });

  it('are checked in every form of title', () => {
    const forms = ["it('is one')", "test.each([1])('not %i')", 'describe(\n  `but`)', "it.each(all())(\n'only', x)"];
    expect(forms.flatMap((form) => dependentTitles('a', form))).toHaveLength(forms.length);
    expect(dependentTitles('a', "it('isolates', () => log('is')); expect(a).toBe('only')")).toEqual([]);
  });

  it('are those of the field in documents', () => {
    expect(documents.flatMap((path) => problemsIn(path, linesOf(read(path))))).toEqual([]);
  });

  it('are those of the field in comments', () => {
    expect(sources.flatMap((path) => problemsIn(path, commentsOf(read(path))))).toEqual([]);
  });

  it('are found in every form of comment, with file and line', () => {
    const source = [
      '/** What a person reads. */',
      "const url = 'https://people.example'; // Nobody",
      '/**',
      ' * Of two.',
      ' * What follows is fine.',
      ' */',
      '// The client is told.',
      '// What follows is fine.',
      'const word = "stranger";',
    ];
    expect(problemsIn('a.ts', commentsOf(source.join('\n')))).toEqual([
      'a.ts:1 "person": write user, client, caller, attacker',
      'a.ts:1 begins with "What "',
      'a.ts:2 "Nobody": write user, client, caller, attacker',
      'a.ts:4 begins with "Of "',
      'a.ts:7 "told": write notified, delivered, returned',
    ]);
  });
});
