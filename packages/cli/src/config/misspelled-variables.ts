import { allKeys, suggest } from '@carnet/provider/config';
import type { Environment } from '../env.ts';
import { fileVariableOf, variableFor, variables } from './variables.ts';

const names = variables.flatMap((variable) => [variable.name, fileVariableOf(variable) ?? []].flat());

/** Variables of the bundled pages, the command and its tests. The server does not read them. */
const ours = new Set(['CARNET_URL', 'CARNET_ADMIN_URL', 'CARNET_ADMIN_TOKEN', 'CARNET_UI_URL', 'CARNET_DEMO_USERS']);

/** `features.fapi.enabled` -> `FEATURES_FAPI_ENABLED`: the variable that a user guesses for a key. */
const guessedName = (key: string): string => key.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** Settings without which the server is less safe than its operator believes. */
const isSecurity = (key: string): boolean =>
  /^(?:secrets|admin|http|pkce|features|keys|outbound|tokens|hooks\.\w+\.auth|oidc\.dynamicClientRegistration)\b/.test(
    key,
  );

interface Misspelled {
  /** The configuration key that was probably meant. */
  readonly key: string;
  readonly advice: string;
}

const byName = (meant: string): Misspelled => ({
  key: variables.find(({ name }) => meant === name || meant === `${name}_FILE`)?.key ?? '',
  advice: `Did you mean ${meant}?`,
});

const byKey = (key: string): Misspelled => {
  const variable = variableFor(key);
  if (variable !== undefined) return { key, advice: `Did you mean ${variable}?` };
  return { key, advice: `The key ${key} has no variable: set it in the configuration file.` };
};

const createLookUp = (env: Environment): ((name: string) => Misspelled | undefined) => {
  const keys = new Map(allKeys().map((key) => [guessedName(key), key]));
  return (name) => {
    const unprefixed = name.startsWith('CARNET_') ? name.slice('CARNET_'.length) : '';
    if (names.includes(unprefixed)) return env[unprefixed] ? undefined : byName(unprefixed);
    const key = keys.get(name);
    if (key !== undefined) return byKey(key);
    // Four letters for each edit: `USER` is not a misspelled `ISSUER`.
    const meant = suggest(name, names, 4);
    return meant === undefined ? undefined : byName(meant);
  };
};

/**
 * Warns of environment variables whose names are nearly those of Carnet: they have no effect, and the setting that was
 * meant keeps its default. Security settings come first. A value is never quoted.
 */
export const misspelledVariables = (env: Environment): string[] => {
  const lookUp = createLookUp(env);
  const unknown = Object.keys(env).filter((name) => env[name] && !names.includes(name) && !ours.has(name));
  return unknown
    .flatMap((name) => {
      const found = lookUp(name);
      return found === undefined ? [] : [{ name, ...found }];
    })
    .toSorted((one, other) => Number(isSecurity(other.key)) - Number(isSecurity(one.key)))
    .map(({ name, advice }) => `${name}: is not a variable of Carnet and has no effect. ${advice}`);
};
