import { type Rule, rule } from './rule.ts';
import type { Draft } from './schema.ts';

/** Whether keys are announced, active and retired on a schedule. */
const isManaged = (source: Draft['keys']['source']): boolean => source === 'store' || source === 'external';

/** Whether nothing says where signing keys are. */
export const hasNoKeys = ({ keys }: Draft): boolean =>
  !isManaged(keys.source) && keys.signer === undefined && keys.file === undefined && keys.jwks === undefined;

/** The rules for signing keys. */
export const keyRules: readonly Rule[] = [
  rule(
    'keys.file',
    ({ keys }) => keys.file !== undefined && keys.jwks !== undefined,
    'and keys.jwks are both set. Leave out one of them.',
  ),
  rule(
    'keys',
    hasNoKeys,
    (_draft, { variableFor = (key) => key }) =>
      `there are no signing keys. Set ${variableFor('keys.source')} to store, so that Carnet generates, stores and rotates them; or run \`carnet keys generate --out keys.json\` and set ${variableFor('keys.file')} to keys.json.`,
  ),
  rule(
    'keys.source',
    ({ keys }) => keys.source === 'store' && (keys.file !== undefined || keys.jwks !== undefined),
    'is store, and keys are configured as well. Leave out keys.file and keys.jwks (KEYS_FILE), or the source.',
  ),
  rule(
    'keys.source',
    ({ keys }) => keys.source === 'external' && (keys.file !== undefined || keys.jwks !== undefined),
    'is external, and keys are configured as well. Leave out keys.file and keys.jwks (KEYS_FILE). To keep the old keys verifiable, import them with `carnet keys import` first.',
  ),
  rule(
    'keys.signer',
    ({ keys }) => keys.source === 'external' && keys.signer === undefined,
    'is missing. Set it, or the variable SIGNER, to the URL of a key, such as awskms:alias/carnet; or pass `signers` to createProvider.',
  ),
  rule(
    'keys.signer',
    ({ keys }) => keys.signer !== undefined && !isManaged(keys.source),
    'is set, but its keys are not used. Set keys.source (KEYS_SOURCE) to external.',
  ),
  rule(
    'keys.sealedBy',
    ({ keys }) => keys.sealedBy !== undefined && !isManaged(keys.source),
    'encrypts the keys in the store. Set keys.source (KEYS_SOURCE) to store.',
  ),
  rule(
    'keys.idTokenAlg',
    ({ keys }) => isManaged(keys.source) && !keys.algorithms.includes(keys.idTokenAlg),
    ({ keys }) =>
      `is ${keys.idTokenAlg}, for which there will be no key. Add it to keys.algorithms, or set it to one of these.`,
  ),
  rule(
    'keys.active',
    ({ keys }) => keys.active < keys.announced,
    'is shorter than keys.announced, so that each new key would be late. Increase it, or decrease keys.announced.',
  ),
  rule(
    'keys.retired',
    ({ keys, ttl }) => isManaged(keys.source) && keys.retired < Math.max(ttl.idToken, ttl.accessToken),
    'is shorter than ttl.idToken or ttl.accessToken: tokens would outlive the key that verifies them. Increase it.',
  ),
];
