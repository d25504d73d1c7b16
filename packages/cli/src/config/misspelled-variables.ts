import { allKeys, suggest } from '@carnet/provider/config';
import type { Environment } from '../env.ts';
import { formerVariables, hydraVariables, isServiceLink } from './foreign-variables.ts';
import { commandSchema } from './schema.ts';
import { fileVariableOf, upperSnake, variableFor, variables } from './variables.ts';

const names = variables.flatMap((variable) => [variable.name, fileVariableOf(variable) ?? []].flat());

/** Variables of the bundled pages, the command and its tests. They set no key. */
const ours: ReadonlySet<string> = new Set([
  ...['CARNET_STRICT', 'CARNET_URL', 'CARNET_ADMIN_URL', 'CARNET_ADMIN_TOKEN', 'CARNET_UI_URL'],
  ...['HYDRA_ADMIN_URL', 'ORY_SDK_URL', 'OAUTH2_CLIENT_ID', 'OAUTH2_CLIENT_SECRET'],
]);

/** Settings without which the server is less safe than its operator believes. */
const isSecurity = (key: string): boolean =>
  /^(?:secrets|admin|http|pkce|features|keys|outbound|tokens|clients|hooks\.\w+\.auth|oidc\.dynamicClientRegistration)\b/.test(
    key,
  );

interface Misspelled {
  /** The configuration key that was probably meant. */
  readonly key: string;
  readonly advice: string;
}

const keyOf = (meant: string): string =>
  variables.find(({ name }) => meant === name || meant === `${name}_FILE`)?.key ??
  (meant.startsWith('CLIENT_') ? 'clients' : '');

const byName = (meant: string): Misspelled => ({ key: keyOf(meant), advice: `Did you mean ${meant}?` });

const byKey = (key: string): Misspelled => {
  const variable = variableFor(key);
  if (variable !== undefined) return { key, advice: `Did you mean ${variable}?` };
  return { key, advice: `The key ${key} has no variable: set it in the configuration file.` };
};

/** An exact name from elsewhere. No advice if the variable of Carnet is set as well. */
const byForeignName = (name: string, env: Environment): Misspelled | undefined => {
  const key = formerVariables[name] ?? hydraVariables[name];
  if (key === undefined || env[variableFor(key) ?? '']) return undefined;
  const { advice } = byKey(key);
  if (formerVariables[name] !== undefined) return { key, advice };
  return { key, advice: `It is a variable of Ory Hydra, which \`carnet config from-hydra --env\` converts. ${advice}` };
};

const createLookUp = (env: Environment, known: readonly string[]): ((name: string) => Misspelled | undefined) => {
  // `features.fapi.enabled` -> `FEATURES_FAPI_ENABLED`: the variable that a user guesses for a key.
  const keys = new Map(allKeys(commandSchema).map((key) => [upperSnake(key), key]));
  // Words such as DEV are variables of many programs.
  const keyOfGuess = (name: string): string | undefined => (name.includes('_') ? keys.get(name) : undefined);
  return (name) => {
    const foreign = byForeignName(name, env);
    if (foreign !== undefined) return foreign;
    const unprefixed = name.startsWith('CARNET_') ? name.slice('CARNET_'.length) : undefined;
    if (unprefixed !== undefined && known.includes(unprefixed)) return env[unprefixed] ? undefined : byName(unprefixed);
    const key = keyOfGuess(name) ?? keyOfGuess(unprefixed ?? '');
    if (key !== undefined) return byKey(key);
    // Four letters for each edit: `USER` is not a misspelled `ISSUER`.
    const meant =
      suggest(name, [...known, ...ours], 4) ?? (unprefixed === undefined ? undefined : suggest(unprefixed, known, 4));
    return meant === undefined ? undefined : byName(meant);
  };
};

/**
 * The environment variables whose names are nearly those of Carnet: they have no effect, and the setting that was meant keeps
 * its default. Security settings come first. A value is never quoted.
 *
 * @param secretNames variables of this configuration: those of the secrets of its clients and directories
 * @param isOfIssuer whether a variable is one of an issuer: they are checked with its settings
 */
export const misspelledVariables = (
  env: Environment,
  secretNames: readonly string[],
  isOfIssuer: (name: string) => boolean = () => false,
): string[] => {
  const known = [...names, ...secretNames];
  const lookUp = createLookUp(env, known);
  const unknown = Object.entries(env).filter(
    ([name, value]) =>
      value && !known.includes(name) && !ours.has(name) && !isOfIssuer(name) && !isServiceLink(name, value),
  );
  return unknown
    .flatMap(([name]) => {
      const found = lookUp(name);
      return found === undefined ? [] : [{ name, ...found }];
    })
    .toSorted((one, other) => Number(isSecurity(other.key)) - Number(isSecurity(one.key)))
    .map(({ name, advice }) => `${name}: is not a variable of Carnet and has no effect. ${advice}`);
};

/**
 * Whether a misspelled variable stops the start: `CARNET_STRICT`.
 *
 * @param problems gets the problem of another value
 */
export const isStrict = ({ CARNET_STRICT: text = '' }: Environment, problems: string[]): boolean => {
  if (!['', '0', '1', 'true', 'false'].includes(text)) problems.push('CARNET_STRICT: must be 1 or 0.');
  return text === '1' || text === 'true';
};
