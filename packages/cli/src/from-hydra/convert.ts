import { getAt, hasConfigKey, isTree, type Tree, withAt } from '@carnet/provider/config';
import { hydraVariableOf } from '../config/foreign-variables.ts';
import type { Converted } from '../config/hydra/conversions.ts';
import { type HydraKey, hydraKeys } from '../config/hydra/hydra-keys.ts';
import { commandSchema } from '../config/schema.ts';
import type { Environment } from '../env.ts';

export interface Conversion {
  /** A configuration of Carnet, not yet checked. */
  readonly settings: Tree;
  /** A line for each key that was left out or changed, with the reason. */
  readonly notes: readonly string[];
}

const leavesOf = (tree: Tree, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    isTree(value) && Object.keys(value).length > 0 && !isWhole(`${prefix}${name}`)
      ? leavesOf(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as const],
  );

/** Whether a key is converted together with all keys below it. */
const isWhole = (key: string): boolean => hydraKeys.some((row) => row.key === key && row.convert !== undefined);

/** The row of a key: its own, or that of the nearest key above it. */
const rowOf = (key: string): HydraKey | undefined =>
  hydraKeys
    .filter((row) => row.key === key || key.startsWith(`${row.key}.`))
    .toSorted((one, other) => other.key.length - one.key.length)[0];

/** Carnet's key for a key of Hydra; undefined if this version has none. */
export const targetOf = ({ to }: HydraKey): string | undefined =>
  to !== undefined && hasConfigKey(commandSchema, to) ? to : undefined;

const notThere = ({ reason, to }: HydraKey): string =>
  to === undefined ? `has no counterpart. ${reason ?? ''}`.trim() : 'has no counterpart yet.';

const convertOne = (key: string, value: unknown): Converted & { readonly to?: string } => {
  const row = rowOf(key);
  if (row === undefined) return { note: 'is not a known key of Hydra.' };
  const to = targetOf(row);
  if (to === undefined) return { note: notThere(row) };
  return { to, ...(row.convert ?? ((same) => ({ value: same })))(value) };
};

/** Hydra's defaults that differ from Carnet's. They are set if the key is not. */
const hydrasDefaults: readonly (readonly [key: string, value: unknown])[] = [
  ['keys.source', 'store'],
  ['keys.algorithms', ['RS256']],
  ['tokens.scopeStrategy', 'wildcard'],
  ['tokens.accessTokenType', 'JWT'],
  ['oidc.userinfo', 'hydra'],
  ['tokens.refreshGraceSeconds', 0],
];

const registrationKey = 'oidc.dynamicClientRegistration';
/** In Hydra, clients that register themselves may also act on their own behalf. */
const registrableGrants = [
  'authorization_code',
  'refresh_token',
  'implicit',
  'urn:ietf:params:oauth:grant-type:device_code',
  'client_credentials',
];

const addHydrasDefaults = (settings: Tree): Tree => {
  const registration = getAt(settings, `${registrationKey}.enabled`) === true;
  const all: typeof hydrasDefaults = registration
    ? [...hydrasDefaults, [`${registrationKey}.allowedGrantTypes`, registrableGrants]]
    : hydrasDefaults;
  return all.reduce(
    (tree, [key, value]) => (getAt(tree, key) === undefined ? withAt(tree, key, value) : tree),
    settings,
  );
};

/** Converts a configuration of Hydra to the equivalent configuration of Carnet, as far as there is one. */
export const convertHydra = (hydra: Tree): Conversion => {
  const notes: string[] = [];
  let settings: Tree = {};
  for (const [key, value] of leavesOf(hydra)) {
    const { to, value: converted, note } = convertOne(key, value);
    if (note !== undefined) notes.push(`${key} ${note}`);
    if (to === undefined || converted === undefined) continue;
    // `enforced` and `enforced_for_public_clients` are one key here: the stricter one comes first and stays.
    if (getAt(settings, to) === undefined) settings = withAt(settings, to, converted);
  }
  return { settings: addHydrasDefaults(settings), notes };
};

/** Variable names that other programs use, too. */
const ambiguous = new Set(['VERSION', 'DB', 'DEV']);

const textOf = ({ isList }: HydraKey, text: string): unknown =>
  isList ? text.split(',').map((part) => part.trim()) : text;

/** Hydra's configuration from environment variables: `URLS_SELF_ISSUER` sets `urls.self.issuer`. */
export const hydraFromEnvironment = (env: Environment): Tree => {
  let tree: Tree = {};
  for (const row of hydraKeys) {
    const name = hydraVariableOf(row.key);
    for (const [variable, text] of Object.entries(env)) {
      const isBelow = row.to === undefined && variable.startsWith(`${name}_`) && !ambiguous.has(name);
      if (!text || (variable !== name && !isBelow) || (variable === name && name === 'VERSION')) continue;
      const key = variable === name ? row.key : `${row.key}.${variable.slice(name.length + 1).toLowerCase()}`;
      tree = withAt(tree, key, textOf(row, text));
    }
  }
  return tree;
};
