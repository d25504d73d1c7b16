import { isTree, type Tree } from '@carnet/provider/config';
import type { Environment } from '../env.ts';
import { issuersConfig } from '../load-package.ts';
import { secretNamesOf } from './item-secrets.ts';
import { misspelledVariables } from './misspelled-variables.ts';
import { applyVariables } from './read-variables.ts';

/** The issuers of the section `issuers`, with the beginning of their variables. */
const issuersIn = (settings: Tree) =>
  (issuersConfig?.issuersIn(settings) ?? []).map(([name, own]) => ({
    name,
    own,
    prefix: issuersConfig?.variablePrefixOf(name) ?? '',
  }));

/** The settings, with those of each issuer overridden by its variables: `ISSUER_ACME_CLIENT_SHOP_SECRET`. */
export const applyIssuerVariables = (
  settings: Tree,
  env: Environment,
  origins: Map<string, string>,
  problems: string[],
): Tree => {
  const { issuers } = settings;
  if (!isTree(issuers)) return settings;
  const filled = issuersIn(settings).map(({ name, own, prefix }) => {
    const scope = { variables: prefix, keys: `issuers.${name}.` };
    return [name, applyVariables(own, env, origins, problems, scope)] as const;
  });
  return { ...settings, issuers: { ...issuers, ...Object.fromEntries(filled) } };
};

/** The environment variables whose names are nearly those of Carnet, or of one of its issuers. */
export const misspelledIn = (settings: Tree, env: Environment): readonly string[] => {
  // The longest first: ISSUER_A_B_ is the issuer a-b, and not a variable of the issuer a.
  const prefixed = issuersIn(settings).toSorted((one, other) => other.prefix.length - one.prefix.length);
  const issuerOf = (variable: string) => prefixed.find(({ prefix }) => variable.startsWith(prefix));
  const byIssuer = Map.groupBy(Object.entries(env), ([variable]) => issuerOf(variable));
  const ofIssuers = prefixed.flatMap((issuer) => {
    const { prefix, own } = issuer;
    const entries = (byIssuer.get(issuer) ?? []).map(([variable, value]) => [variable.slice(prefix.length), value]);
    return misspelledVariables(Object.fromEntries(entries), secretNamesOf(own)).map(
      (text) => prefix + text.replace(/(?<=Did you mean )[A-Z]/, `${prefix}$&`),
    );
  });
  const isOfIssuer = (variable: string): boolean => issuerOf(variable) !== undefined;
  return [...misspelledVariables(env, secretNamesOf(settings), isOfIssuer), ...ofIssuers];
};
