import { allKeys, isSecretKey, kindOfKey } from '@carnet/provider/config';
import { accountsConfig } from '../load-package.ts';
import { commandSchema } from './schema.ts';

/** One environment variable: the key it sets, and how its text is read. */
export interface Variable {
  readonly name: string;
  readonly key: string;
  /** A `list` is separated by commas. A text that is not a number stays text, and the schema refuses it. */
  readonly kind: ReturnType<typeof kindOfKey>;
  /** Used only when nothing else sets the key. */
  readonly fallback?: true;
}

/** `clientCache.entries` -> `CLIENT_CACHE_ENTRIES`. */
export const upperSnake = (key: string): string => key.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** These sections are no part of a name: `HOST`, `TRUSTED_PROXIES`, `SCOPE_CLAIM`, `JWT_BEARER_IAT_OPTIONAL`. */
const unnamedSections = /^(?:public|http|tokens|features(?=\.\w+\.))\./;

/** A feature is switched on by its own name: `FEATURES_DPOP`. */
const featureSwitch = /^(features\.\w+)\.enabled$/;

/** Names that the field knows, or that Carnet had before. */
const otherNames: Readonly<Record<string, string>> = {
  'storage.default': 'DATABASE_URL',
  'keys.signer': 'SIGNER',
  'keys.idTokenAlg': 'ID_TOKEN_ALG',
};

/** Keys without a variable: those of development, and the keys of a file. */
const withoutVariable: ReadonlySet<string> = new Set(['dev', 'accounts', 'accounts.demoUser', 'keys.jwks.keys']);

const nameOf = (key: string): string =>
  otherNames[key] ?? upperSnake(key.replace(featureSwitch, '$1').replace(unnamedSections, ''));

/** Where the package of the section `accounts` is not installed: the problem of the section names it. */
const accountsVariables: readonly Variable[] =
  accountsConfig === undefined
    ? [
        { name: 'ACCOUNTS_DATABASE', key: 'accounts.database', kind: 'text' },
        { name: 'ACCOUNTS_DIRECTORIES', key: 'accounts.directories', kind: 'json' },
      ]
    : [];

/**
 * Every variable Carnet reads, besides `NODE_ENV` and the secrets of single directories and clients (`item-secrets.ts`).
 * Each key of the schema has one: a new setting needs no line here.
 */
export const variables: readonly Variable[] = [
  ...allKeys(commandSchema)
    .filter((key) => !withoutVariable.has(key))
    .map((key): Variable => ({ name: nameOf(key), key, kind: kindOfKey(commandSchema, key) })),
  ...accountsVariables,
  { name: 'REDIS_URL', key: 'storage.default', kind: 'text', fallback: true },
];

/** The variable that names a file with the value. Only keys whose schema declares a secret have one. */
export const fileVariableOf = ({ name, key }: Variable): string | undefined =>
  isSecretKey(commandSchema, key) ? `${name}_FILE` : undefined;

/** The variable that sets a key; the first one when there are two. */
export const variableFor = (key: string): string | undefined =>
  variables.find((variable) => variable.key === key)?.name;
