import { readFileSync } from 'node:fs';
import { parseJson } from '@carnet/adapter-contract/kit';
import { getAt, isTree, type Tree, withAt } from '@carnet/provider/config';
import type { Environment } from '../env.ts';
import { isServiceLink } from './foreign-variables.ts';
import { itemSecrets, type SecretVariable, secretNamesOf } from './item-secrets.ts';
import { fileVariableOf, type Variable, variables } from './variables.ts';

/** The file of a `_FILE` variable for a message. A value without a slash may be the secret itself, set by mistake. */
const shown = (file: string): string => (/[/\\]/.test(file) ? file : 'the file');

const readSecretFile = (name: string, file: string, problems: string[]): string | undefined => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') problems.push(`${name}: ${file} is empty. Write the value into it.`);
    return text || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${name}: ${shown(file)} can't be read (${code}). Name a file that this user may read, by its path.`);
    return undefined;
  }
};

interface Named {
  readonly name: string;
  /** The variable that names a file with the value. Undefined: there is none. */
  readonly fileName: string | undefined;
}

/** The text of a variable, or of the file that `<name>_FILE` names. An empty variable is treated as unset. */
const textOf = ({ name, fileName }: Named, env: Environment, problems: string[]): { name: string; text?: string } => {
  const value = env[name];
  const text = isServiceLink(name, value) ? undefined : value || undefined;
  const file = fileName && env[fileName];
  if (!file) return { name, text };
  if (text !== undefined) problems.push(`${name} and ${fileName} are both set. Unset one of them.`);
  return { name: fileName, text: text ?? readSecretFile(fileName, file, problems) };
};

const readers: Record<Variable['kind'], (text: string) => unknown> = {
  text: (text) => text,
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text] ?? text,
  json: (text) => parseJson(text) ?? text,
  integer: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
  list: (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};

/** The variables of a configuration, or of one issuer: `ISSUER_ACME_TTL_ID_TOKEN` sets `issuers.acme.ttl.idToken`. */
export interface Scope {
  /** Before the names of variables. */
  readonly variables: string;
  /** Before the keys in `origins`. */
  readonly keys: string;
}

const wholeConfiguration: Scope = { variables: '', keys: '' };

/** An item with the secrets that have variables of their own. */
const withSecrets = (
  item: Tree,
  secretVariables: readonly SecretVariable[],
  env: Environment,
  problems: string[],
): Tree => {
  const secrets = secretVariables.map(({ member, name, fileName }) => [
    member,
    textOf({ name, fileName }, env, problems).text,
  ]);
  return { ...item, ...Object.fromEntries(secrets.filter(([, text]) => text !== undefined)) };
};

/** The problems of variables that are set, and belong to more than one item: `CLIENT_A_B_SECRET` of `a-b` and `a.b`. */
const sharedVariables = (names: readonly string[], env: Environment): string[] =>
  [...new Set(names)]
    .filter((name) => env[name] && names.indexOf(name) !== names.lastIndexOf(name))
    .map((name) => `${name}: belongs to more than one client or directory. Put their secrets into the list instead.`);

/** The settings with the secrets of directories and clients that have variables of their own. */
const withItemSecrets = (settings: Tree, env: Environment, problems: string[], { variables: prefix }: Scope): Tree => {
  const named = (one: SecretVariable): SecretVariable => ({
    ...one,
    name: prefix + one.name,
    fileName: prefix + one.fileName,
  });
  problems.push(...sharedVariables(secretNamesOf(settings, prefix), env));
  let result = settings;
  for (const [key, variablesOf] of Object.entries(itemSecrets)) {
    const items = getAt(settings, key);
    if (!Array.isArray(items)) continue;
    const filled = items.map((item: unknown) =>
      isTree(item) ? withSecrets(item, variablesOf(item).map(named), env, problems) : item,
    );
    result = withAt(result, key, filled);
  }
  return result;
};

/** Returns the file's settings, overridden by the environment. Records in `origins` which variable sets which key. */
export const applyVariables = (
  settings: Tree,
  env: Environment,
  origins: Map<string, string>,
  problems: string[],
  scope = wholeConfiguration,
): Tree => {
  const prefix = scope.variables;
  let result = settings;
  for (const variable of variables) {
    const { key, kind, fallback } = variable;
    if (fallback && getAt(result, key) !== undefined) continue;
    const fileName = fileVariableOf(variable);
    const named = { name: prefix + variable.name, fileName: fileName && prefix + fileName };
    const { name, text } = textOf(named, env, problems);
    if (text === undefined) continue;
    result = withAt(result, key, readers[kind](text));
    origins.set(scope.keys + key, name);
  }
  return withItemSecrets(result, env, problems, scope);
};
