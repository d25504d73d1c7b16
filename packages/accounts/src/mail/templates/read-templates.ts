import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailLanguages } from '../languages.ts';
import { type TemplateName, templateNames } from './placeholders.ts';
import { type MailTemplate, parseHtml, parseText } from './template.ts';

/** The templates of the operator, by mail and language. */
export type MailTemplates = ReadonlyMap<string, MailTemplate>;

export const templateKey = (name: TemplateName, language: string): string => `${name}.${language}`;

interface ReadTemplates {
  readonly templates: MailTemplates;
  /** Every problem, with the file and the line. */
  readonly problems: readonly string[];
}

const mostBytes = 262_144;

/** @throws Error if the file cannot be read, is too large, or is not UTF-8 */
const readUtf8 = (path: string): string => {
  const bytes = readFileSync(path);
  if (bytes.byteLength > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KiB`);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
};

interface TemplateFile {
  readonly file: string;
  readonly name: TemplateName;
  readonly language: string;
  readonly type: 'txt' | 'html';
}

/** The mail, the language and the type of a file, or the problem of its name. */
const fileOf = (file: string): TemplateFile | string => {
  const [mail = '', language = '', type = '', ...others] = file.split('.');
  if ((type !== 'txt' && type !== 'html') || others.length > 0)
    return `${file}: the name must be <mail>.<language>.txt or <mail>.<language>.html.`;
  const name = templateNames.get(mail);
  if (name === undefined)
    return `${file}: there is no mail ${mail}. The mails are ${[...templateNames.keys()].join(', ')}.`;
  if (!Object.hasOwn(mailLanguages, language))
    return `${file}: there is no language ${language}. The languages are ${Object.keys(mailLanguages).join(', ')}.`;
  return { file, name, language, type };
};

/** Collects problems. `attempt` returns undefined after one. */
const createReport = () => {
  const problems: string[] = [];
  const attempt = <Value>(place: string, read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      // Without the message of the system: it quotes the path, which is a value of the configuration.
      const { syscall, code, message } = error as NodeJS.ErrnoException;
      problems.push(`${place}: it cannot be read: ${syscall === undefined ? message : code}.`);
      return undefined;
    }
  };
  return { problems, attempt };
};

type Report = ReturnType<typeof createReport>;

/** The parts of a file; undefined after a problem. */
const partsOf = <Parts>(
  { problems, attempt }: Report,
  folder: string,
  file: TemplateFile,
  parse: (content: string, file: TemplateFile) => { readonly parts: Parts } | { readonly problems: readonly string[] },
): Parts | undefined => {
  const content = attempt(file.file, () => readUtf8(join(folder, file.file)));
  if (content === undefined) return undefined;
  const result = parse(content, file);
  if ('parts' in result) return result.parts;
  problems.push(...result.problems);
  return undefined;
};

/** Reads the files of a folder, and reports every problem. Hidden files are left out: a volume of Kubernetes has them. */
export const readTemplates = (folder: string): ReadTemplates => {
  const report = createReport();
  const { problems, attempt } = report;
  const names = attempt('the folder', () => readdirSync(folder).filter((name) => !name.startsWith('.'))) ?? [];
  const files = names.toSorted().map(fileOf);
  problems.push(...files.filter((file) => typeof file === 'string'));
  const named = files.filter((file) => typeof file !== 'string');
  const byKey = Map.groupBy(named, ({ name, language }) => templateKey(name, language));
  const templates = new Map<string, MailTemplate>();
  for (const [key, ofMail] of byKey) {
    const [text, html] = (['txt', 'html'] as const).map((type) => ofMail.find((file) => file.type === type));
    if (text === undefined) {
      const { file = '' } = html ?? {};
      problems.push(`${file}: ${file.replace(/html$/, 'txt')} is missing. Mail programs without HTML show it.`);
      continue;
    }
    const parts = partsOf(report, folder, text, parseText);
    const htmlPart = html && partsOf(report, folder, html, parseHtml);
    if (parts !== undefined) templates.set(key, { ...parts, html: htmlPart });
  }
  return { templates, problems };
};
