import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { ConfigError, isTree, type Tree } from '@carnet/provider/config';
import type { Document } from 'yaml';

const require = createRequire(import.meta.url);

/** A text that can't be parsed. The message never quotes the text, which may hold secrets. */
class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  /** `:3:5`: line and column. Empty if they are unknown. */
  readonly place: string;

  constructor(message: string, text: string, offset?: number) {
    super(message);
    const before = offset === undefined ? [] : text.slice(0, offset).split('\n');
    this.place = before.length === 0 ? '' : `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  }
}

/** The remedies for the most frequent errors of YAML. */
const yamlAdvice: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'A tab is used for indentation, where YAML allows only spaces.',
  BAD_INDENT: 'Indent all keys of a section by the same number of spaces.',
  DUPLICATE_KEY: 'The key is there twice: remove one of them.',
  MISSING_CHAR: 'A quote, a bracket or a comma is missing, here or above.',
  MULTILINE_IMPLICIT_KEY: 'A colon is missing after a key, here or above.',
  BLOCK_AS_IMPLICIT_KEY: 'A value with ": " in it needs quotes; a nested key needs a line of its own.',
  UNEXPECTED_TOKEN: 'Put a value that begins with a special character into quotes.',
};

/** The start of a list in brackets, or of a map in braces, that is not closed. */
const unclosedIn = (document: Document.Parsed, text: string): number | undefined => {
  const { isCollection, visit } = require('yaml') as typeof import('yaml');
  let open: number | undefined;
  visit(document, {
    Collection: (_key, node) => {
      if (!isCollection(node) || !node.flow || !node.range) return;
      const [from, to] = node.range;
      // The innermost one is visited last.
      if (!/[\]}]$/.test(text.slice(from, to).trimEnd())) open = from;
    },
  });
  return open;
};

const parseYaml = (text: string): unknown => {
  // Loaded here, because many processes are configured by their environment alone.
  const { parseDocument } = require('yaml') as typeof import('yaml');
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error === undefined) return document.toJS();
  // The parser reports a bracket that is not closed at a later line, as an indentation.
  const open = unclosedIn(document, text);
  if (open !== undefined) throw new SyntaxProblem(`is not valid YAML. This "${text[open]}" is not closed.`, text, open);
  const { [error.code]: advice = 'Check the syntax.' } = yamlAdvice;
  throw new SyntaxProblem(`is not valid YAML (${error.code}). ${advice}`, text, error.pos[0]);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const offset = position === undefined ? undefined : Number(position);
    throw new SyntaxProblem(
      'is not valid JSON. Names and texts need double quotes, and no comma follows the last value.',
      text,
      offset,
    );
  }
};

const parsers: Record<string, (text: string) => unknown> = {
  '.json': parseJson,
  '.yaml': parseYaml,
  '.yml': parseYaml,
};

/** The remedies for the usual reasons for which a file can't be read. */
const fileAdvice: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file. Check the path; `carnet init` writes a configuration.',
  ENOTDIR: 'There is no such file. Check the path.',
  EISDIR: 'It is a folder. Name the file in it.',
  EACCES: 'This user may not read it. Change its owner or its mode.',
  EPERM: 'This user may not read it. Change its owner or its mode.',
};

const readText = (file: string): string => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${file}: can't be read (${code}). ${fileAdvice[code] ?? 'Check the path.'}`]);
  }
  try {
    // Without the byte order mark, which editors of Windows add.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([`${file}: is not UTF-8. Save it with this encoding, not as UTF-16 or Latin-1.`]);
  }
};

/** Keys at the top of a configuration of Ory Hydra that Carnet does not have. */
const hydraSections = ['dsn', 'serve', 'strategies', 'oauth2', 'webfinger'];

const assertCarnet = (file: string, settings: Tree): void => {
  const isHydra = hydraSections.filter((name) => Object.hasOwn(settings, name)).length > 1;
  if (!isHydra) return;
  throw new ConfigError([
    `${file}: is a configuration of Ory Hydra. \`carnet config from-hydra ${file}\` converts it.`,
  ]);
};

/** @param name the name of the text, for problems */
const settingsIn = (text: string, name: string, parse: (text: string) => unknown): Tree => {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : (parse(text) ?? {});
  } catch (error) {
    const isSyntax = error instanceof SyntaxProblem;
    throw new ConfigError([isSyntax ? `${name}${error.place}: ${error.message}` : `${name}: can't be parsed.`]);
  }
  if (!isTree(value)) throw new ConfigError([`${name}: must hold keys and values, such as "issuer: https://..."`]);
  assertCarnet(name, value);
  return value;
};

/** The settings in a text of YAML, or of JSON, which is YAML. @throws ConfigError as `readConfigFile` */
export const parseConfigText = (text: string, name: string): Tree => settingsIn(text, name, parseYaml);

/**
 * The settings in a YAML or JSON file, not yet checked. A file that is empty or has only comments has none.
 *
 * @throws ConfigError with one problem if the file can't be read or parsed: everything that it may set would be reported as
 * missing.
 */
export const readConfigFile = (file: string): Tree => {
  const parse = parsers[extname(file).toLowerCase()];
  if (parse === undefined) throw new ConfigError([`${file}: name the configuration file *.yaml, *.yml or *.json`]);
  return settingsIn(readText(file), file, parse);
};
