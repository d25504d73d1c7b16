import { escapeHtml } from '@carnet/adapter-contract/kit';
import { placeholdersOf, type TemplateName } from './placeholders.ts';

/** The texts of a mail by the operator, with placeholders. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** Absent: the mail has only the text. */
  readonly html?: string | undefined;
}

/**
 * `{{name}}`. There are no conditions, loops or unescaped values, so that no library is needed, and so that each file can be
 * checked at the start.
 */
const placeholder = /\{\{([^{}]*)\}\}/g;

type Values = Readonly<Record<string, string>>;

const filled = (template: string, values: Values, shown: (value: string) => string): string =>
  // One pass: a value that looks like a placeholder is not filled.
  template.replaceAll(placeholder, (_whole, name: string) => shown(values[name.trim()] ?? ''));

/** @param values one line each */
export const fillTemplate = ({ subject, text, html }: MailTemplate, values: Values) => ({
  subject: filled(subject, values, (value) => value),
  text: filled(text, values, (value) => value),
  html: html === undefined ? undefined : filled(html, values, escapeHtml),
});

interface Place {
  readonly name: TemplateName;
  /** For messages. */
  readonly file: string;
}

const lineOf = (content: string, index: number): number => content.slice(0, index).split('\n').length;

const shownNames = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(', ');

const unknownProblems = (content: string, { name, file }: Place): readonly string[] => {
  const allowed = placeholdersOf[name];
  const unknown = [...content.matchAll(placeholder)]
    .filter(([, found = '']) => !allowed.includes(found.trim()))
    .map(({ index, 1: found }) => {
      const place = `${file}:${lineOf(content, index)}`;
      return `${place}: {{${found?.trim()}}} is not a placeholder of this mail. It has ${shownNames(allowed)}.`;
    });
  // CSS has }} but no {{.
  const open = content.replaceAll(placeholder, (whole) => ' '.repeat(whole.length)).indexOf('{{');
  return open < 0 ? unknown : [...unknown, `${file}:${lineOf(content, open)}: {{ has no }} in this line.`];
};

const missingProblems = (content: string, { name, file }: Place): readonly string[] => {
  const present = [...content.matchAll(placeholder)].map(([, found]) => found?.trim());
  return placeholdersOf[name]
    .filter((each) => (each === 'link' || each === 'code') && !present.includes(each))
    .map((each) => `${file}: {{${each}}} is missing. Without it, the mail is useless.`);
};

/** A URL, or a link of Carnet with what follows it. */
const url = /(?::\/\/|\{\{\s*link\s*\}\})[^\s"'<>]*/g;
/** A tag, a comment, or the rest of the file if it does not end. */
const tag = /<[a-z!/?](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi;
const code = /<(script|style)\b[\s\S]*?(?:<\/\1(?![a-z])|$)/gi;

/** Only `link` is a value of Carnet: users choose others, of which no link, attribute or script may be made. */
const unsafeProblems = (content: string, part: 'text' | 'html', { file }: Place): readonly string[] => {
  const areas = (part === 'html' ? [url, tag, code] : [url]).flatMap((pattern) => [...content.matchAll(pattern)]);
  const unsafe = areas.flatMap(({ index: begin, 0: area }) =>
    [...area.matchAll(placeholder)]
      .filter(([, name]) => name?.trim() !== 'link')
      .map(({ index, 0: whole }) => ({ at: begin + index, whole })),
  );
  return unsafe.map(
    ({ at, whole }) => `${file}:${lineOf(content, at)}: ${whole} must not be in a URL or a tag. Only {{link}} may.`,
  );
};

const problemsOf = (content: string, part: 'text' | 'html', place: Place): readonly string[] => [
  ...unknownProblems(content, place),
  ...missingProblems(content, place),
  ...unsafeProblems(content, part, place),
];

/** The parts of a file, or its problems. */
type Parsed<Parts> = { readonly parts: Parts } | { readonly problems: readonly string[] };

const parsed = <Parts>(parts: Parts, problems: readonly string[]): Parsed<Parts> =>
  problems.length === 0 ? { parts } : { problems };

/** Reads `Subject: ...`, an empty line, and the text. */
export const parseText = (content: string, place: Place): Parsed<Pick<MailTemplate, 'subject' | 'text'>> => {
  const { file } = place;
  const [, subject, text = ''] = /^Subject:[ \t]*(\S[^\n]*)\n[ \t]*\n([\s\S]*)$/.exec(content) ?? [];
  if (subject === undefined)
    return { problems: [`${file}:1: the file must begin with a line "Subject: ..." and an empty line.`] };
  const secret = /\{\{\s*(?:link|code)\s*\}\}/.exec(subject)?.[0];
  const ofSubject =
    secret === undefined ? [] : [`${file}:1: ${secret} must not be in the subject: mail servers log it.`];
  const problems = [
    ...unknownProblems(content, place),
    ...missingProblems(text, place),
    ...unsafeProblems(content, 'text', place),
  ];
  return parsed({ subject: subject.trim(), text: `${text.trimEnd()}\n` }, [...ofSubject, ...problems]);
};

export const parseHtml = (content: string, place: Place): Parsed<string> =>
  parsed(content, problemsOf(content, 'html', place));
