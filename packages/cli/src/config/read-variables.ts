import { readFileSync } from 'node:fs';
import { getAt, type Tree, withAt } from '@carnet/provider/config';
import type { Environment } from '../env.ts';
import { fileVariableOf, type Variable, variables } from './variables.ts';

const readSecretFile = (name: string, file: string, problems: string[]): string | undefined => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') problems.push(`${name}: ${file} is empty. Write the value into it.`);
    return text || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${name}: ${file} can't be read (${code}). Name a file that this user may read.`);
    return undefined;
  }
};

/** The text of a variable, or of the file that `<name>_FILE` names. An empty variable is treated as unset. */
const textOf = (variable: Variable, env: Environment, problems: string[]): { name: string; text?: string } => {
  const { name } = variable;
  const fileName = fileVariableOf(variable);
  const text = env[name] || undefined;
  const file = fileName && env[fileName];
  if (!file) return { name, text };
  if (text !== undefined) problems.push(`${name} and ${fileName} are both set. Unset one of them.`);
  return { name: fileName, text: text ?? readSecretFile(fileName, file, problems) };
};

const readers: Record<NonNullable<Variable['type']>, (text: string) => unknown> = {
  text: (text) => text,
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text] ?? text,
  integer: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
  list: (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};

/** Returns the file's settings, overridden by the environment. Records in `origins` which variable sets which key. */
export const applyVariables = (
  settings: Tree,
  env: Environment,
  origins: Map<string, string>,
  problems: string[],
): Tree => {
  let result = settings;
  for (const variable of variables) {
    const { key, type = 'text', fallback } = variable;
    if (fallback && getAt(result, key) !== undefined) continue;
    const { name, text } = textOf(variable, env, problems);
    if (text === undefined) continue;
    result = withAt(result, key, readers[type](text));
    origins.set(key, name);
  }
  return result;
};
