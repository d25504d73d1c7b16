import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { ConfigError, isTree, type Tree } from '@carnet/provider/config';

const require = createRequire(import.meta.url);

const parseYaml = (text: string): unknown => {
  // Loaded here, because many processes are configured by their environment alone.
  const { parseDocument } = require('yaml') as typeof import('yaml');
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error === undefined) return document.toJS();
  // Not the parser's message: it quotes the file, which may hold secrets.
  throw new Error(`${error.code} on line ${text.slice(0, error.pos[0]).split('\n').length}`);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
};

const parsers: Record<string, (text: string) => unknown> = {
  '.json': parseJson,
  '.yaml': parseYaml,
  '.yml': parseYaml,
};

/**
 * The settings in a YAML or JSON file, not yet checked. An empty file has none.
 *
 * @throws ConfigError when it can't be read or parsed.
 */
export const readConfigFile = (file: string): Tree => {
  const parse = parsers[extname(file).toLowerCase()];
  if (parse === undefined) throw new ConfigError([`${file}: name the configuration file *.yaml, *.yml or *.json`]);
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${file}: can't be read: ${code ?? message}. Check the path and its contents.`]);
  }
  if (!isTree(value)) throw new ConfigError([`${file}: must hold keys and values, such as "issuer: https://..."`]);
  return value;
};
