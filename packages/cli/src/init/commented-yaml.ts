import { getAt, type Tree } from '@carnet/provider/config';
import type { Setting } from '../config/described-settings.ts';

const width = 110;

const wrapped = (text: string): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

const needsNoQuotes = (text: string): boolean =>
  /^[A-Za-z][\w.:/@-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) && !text.endsWith(':');

/** A value as YAML on one line: JSON, or text that needs no quotes. */
const yamlOf = (value: unknown): string =>
  typeof value === 'string' && needsNoQuotes(value) ? value : JSON.stringify(value);

/** The default of a setting, which is text, as YAML. */
const defaultOf = ({ default: text }: Setting): string => {
  if (text === undefined) return '';
  return /^[\d[{-]|^(?:true|false)$/.test(text) ? ` ${text}` : ` ${yamlOf(text)}`;
};

const commentsOf = ({ description, choices, variables }: Setting): readonly string[] =>
  [
    ...wrapped(description),
    ...(choices.length === 0 ? [] : wrapped(`One of: ${choices.join(', ')}`)),
    ...(variables.length === 0 ? [] : wrapped(`Variable: ${variables.join(', ')}`)),
  ].map((text) => `# ${text}`);

const indent = (depth: number): string => '  '.repeat(depth);

/** A line at a depth. `markDepth`: the depth of the outermost section that is a comment. Undefined: the line is none. */
const line = (text: string, depth: number, markDepth: number | undefined): string =>
  markDepth === undefined ? `${indent(depth)}${text}` : `${indent(markDepth)}# ${indent(depth - markDepth)}${text}`;

interface Place {
  /** The names of the sections around, from the outermost. */
  readonly path: readonly string[];
  readonly markDepth: number | undefined;
}

const linesOf = (settings: readonly Setting[], values: Tree, { path, markDepth }: Place): readonly string[] => {
  const depth = path.length;
  const names = [...new Set(settings.map(({ key }) => key.split('.')[depth] ?? ''))];
  return names.flatMap((name): readonly string[] => {
    const inner = { path: [...path, name], markDepth };
    const key = inner.path.join('.');
    const value = getAt(values, key);
    const keyMark = markDepth ?? (value === undefined ? depth : undefined);
    const own = settings.find((setting) => setting.key === key);
    if (own === undefined) {
      const below = settings.filter((setting) => setting.key.startsWith(`${key}.`));
      return [line(`${name}:`, depth, keyMark), ...linesOf(below, values, { ...inner, markDepth: keyMark })];
    }
    const comments = commentsOf(own).map((text) => line(text, depth, markDepth));
    if (value !== undefined) return [...comments, line(`${name}: ${yamlOf(value)}`, depth, keyMark)];
    // A setting without a default stays a comment when its section is uncommented: without a value it would be a mistake.
    const isEmpty = own.default === undefined && markDepth !== undefined;
    return [...comments, line(`${isEmpty ? '# ' : ''}${name}:${defaultOf(own)}`, depth, keyMark)];
  });
};

/**
 * A configuration file in YAML: the settings with values, and all others as comments with their descriptions and defaults.
 * To set one, a user removes the `# ` before its name, and before the names of the sections around it.
 */
export const commentedYaml = (settings: readonly Setting[], values: Tree): string => {
  const sections = [...new Set(settings.map(({ key }) => key.split('.')[0] ?? ''))];
  return sections
    .map((name) => settings.filter(({ key }) => key.split('.')[0] === name))
    .map((section) => linesOf(section, values, { path: [], markDepth: undefined }).join('\n'))
    .join('\n\n');
};
