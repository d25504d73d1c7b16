import { z } from 'zod';
import { CarnetError } from '../../errors.ts';
import { parseWith, type Refuse } from '../../validation.ts';
import type { RotateOptions } from '../rotation/rotation.ts';
import { isSigningAlgorithm, type Signer, type SigningAlgorithm, signingAlgorithms } from '../signing/signer.ts';
import { parsePrivateSigner } from '../sources/load-keys.ts';
import type { SigningKeySource } from '../sources/signing-key-source.ts';
import { generateJwk } from './generate-jwk.ts';
import { type Jwk, kidSchema, parseJwk } from './jwk-schema.ts';
import type { KeySets } from './key-sets.ts';

/** SDKs send a member that is not set as `null` or `""`. */
const orUnset = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

export const generateKey = z.object({
  alg: z.string().max(64),
  kid: orUnset(kidSchema),
  use: orUnset(z.enum(['sig', 'enc'])),
});

export const keySet = z.object({ keys: z.array(z.looseObject({})).max(500) });

export interface GenerateKey {
  /** The algorithm of the key (RFC 7518), such as `ES256`. */
  readonly alg: string;
  /** Default: a random id. */
  readonly kid?: string;
  /** Default: `sig`. */
  readonly use?: 'sig' | 'enc';
}

/** A JSON Web Key (RFC 7517), as a caller may send it. */
export type JwkInput = Partial<Jwk> & Readonly<Record<string, unknown>>;

/**
 * Named sets of keys in the store: yours with their private members, and the keys that sign tokens without. The set
 * that signs tokens has the names of Hydra, `hydra.openid.id-token` and `hydra.jwt.access-token`. The functions throw
 * CarnetError `invalid_request` for a name or a key that is not valid, and `request_forbidden` when the signing keys
 * are not in the store.
 */
export interface Keys {
  /** @throws CarnetError `not_found` for a set without keys */
  list(set: string): Promise<readonly Jwk[]>;
  /** @throws CarnetError `not_found` */
  get(set: string, kid: string): Promise<Jwk>;
  /**
   * Generates a key. In the set that signs tokens it is the next key to sign.
   *
   * @throws CarnetError `conflict` when the set has a key with this `kid`
   * @example
   * await carnet.keys.generate('hydra.openid.id-token', { alg: 'ES256' });
   */
  generate(set: string, options: GenerateKey): Promise<Jwk>;
  /** Stores a key under a `kid`. The set that signs tokens adopts a private key as the next key to sign. */
  put(set: string, kid: string, key: JwkInput): Promise<Jwk>;
  /** Replaces all keys of a set. */
  replace(set: string, keys: readonly JwkInput[]): Promise<readonly Jwk[]>;
  /** Deletes a key. An absent key is no error. @throws CarnetError `conflict` for the key that signs tokens now */
  delete(set: string, kid: string): Promise<void>;
  /** Deletes a set with its keys. An absent set is no error. */
  deleteSet(set: string): Promise<void>;
}

const toJwk = ({ kid, alg, publicKey }: Pick<Signer, 'kid' | 'alg' | 'publicKey'>): Jwk =>
  ({ ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }) as Jwk;

const assertSigningAlgorithm = (alg: string): SigningAlgorithm => {
  if (isSigningAlgorithm(alg)) return alg;
  throw new CarnetError('invalid_request', `Carnet signs with ${signingAlgorithms.join(', ')}: "alg" is one of these.`);
};

const assertUsable = (jwk: Jwk): SigningAlgorithm => {
  try {
    return parsePrivateSigner(jwk).alg;
  } catch (error) {
    throw new CarnetError('invalid_request', `The key ${(error as Error).message}.`);
  }
};

/** The set of the keys that sign. */
const createSigningSet = (source: Pick<SigningKeySource, 'current' | 'stored'>) => {
  const assertStored = (): NonNullable<SigningKeySource['stored']> => {
    if (source.stored !== undefined) return source.stored;
    throw new CarnetError(
      'request_forbidden',
      'The signing keys are managed by hand: change keys.file or keys.jwks and restart, or set keys.source to "store".',
    );
  };
  /** A key that this process generates or imports. */
  const assertMaking = () => {
    const stored = assertStored();
    if (!stored.isExternal) return stored;
    throw new CarnetError(
      'request_forbidden',
      'A service holds the signing keys: create a new version of the key there, and Carnet announces it. `carnet keys rotate --now` lets it sign soon.',
    );
  };
  /** The new key signs as soon as every process knows it. The previous keys are retired. */
  const rotate = async (algOf: () => SigningAlgorithm, options: RotateOptions): Promise<Jwk> => {
    const { rotation, refresh } = assertMaking();
    const { signer } = await rotation.rotate(algOf(), { ...options, soon: true });
    await refresh();
    return toJwk(signer);
  };

  return {
    /** Public members only: temporary access to the admin API must not allow a caller to sign tokens later. */
    list: (): readonly Jwk[] => source.current().signers.map(toJwk),
    generate: (alg: string, kid?: string) => rotate(() => assertSigningAlgorithm(alg), { kid }),
    adopt: (jwk: Jwk) => rotate(() => assertUsable(jwk), { jwk }),
    async remove(kid: string): Promise<void> {
      const { rotation, refresh } = assertStored();
      await rotation.remove(kid);
      await refresh();
    },
  };
};

/** The longest name of a key set, in bytes. */
const maxSetNameBytes = 512;

/** The names under which Hydra keeps the keys that it signs with. Both name the one set that signs here. */
const signingSets: ReadonlySet<string> = new Set(['hydra.openid.id-token', 'hydra.jwt.access-token']);

/** Whether a set signs tokens. @throws CarnetError `invalid_request` for a name that no set can have */
const isSigning = (set: string): boolean => {
  if (Buffer.byteLength(set) <= maxSetNameBytes && !/\p{C}/u.test(set)) return signingSets.has(set);
  throw new CarnetError(
    'invalid_request',
    `A key set's name has at most ${maxSetNameBytes} bytes, and no control characters.`,
  );
};

const assertReplaceable = (set: string): void => {
  if (!isSigning(set)) return;
  throw new CarnetError(
    'request_forbidden',
    'Signing keys cannot be replaced or deleted as a set. Generate a key with POST; delete a key that no longer signs with DELETE and its kid.',
  );
};

export interface KeysDependencies {
  readonly keySets: KeySets;
  readonly signingKeys: Pick<SigningKeySource, 'current' | 'stored'>;
  readonly refuse: Refuse;
}

export const createKeys = ({ keySets, signingKeys, refuse }: KeysDependencies): Keys => {
  const signingSet = createSigningSet(signingKeys);
  return {
    async list(set) {
      const keys = isSigning(set) ? signingSet.list() : await keySets.list(set);
      if (keys.length === 0) throw new CarnetError('not_found', '');
      return keys;
    },
    async get(set, kid) {
      const key = isSigning(set) ? signingSet.list().find((each) => each.kid === kid) : await keySets.find(set, kid);
      if (key === undefined) throw new CarnetError('not_found', '');
      return key;
    },
    async generate(set, options) {
      const isOurs = isSigning(set);
      const { alg, kid, use } = parseWith(generateKey, options, refuse);
      if (isOurs && use === 'enc') throw refuse('use', 'must be sig: the keys of this set sign');
      if (isOurs) return signingSet.generate(alg, kid);
      const jwk = await generateJwk(alg, { kid, use });
      await keySets.add(set, jwk);
      return jwk;
    },
    async put(set, kid, key) {
      const isOurs = isSigning(set);
      const jwk = parseJwk(key, kid);
      if (jwk.kid !== kid) throw new CarnetError('invalid_request', 'The "kid" of the key is not that of the path.');
      if (isOurs) return signingSet.adopt(jwk);
      await keySets.put(set, jwk);
      return jwk;
    },
    async replace(set, keys) {
      assertReplaceable(set);
      const jwks = parseWith(keySet, { keys }, refuse).keys.map((key) => parseJwk(key));
      if (new Set(jwks.map(({ kid }) => kid)).size !== jwks.length) {
        throw new CarnetError('invalid_request', 'Two keys in the request have the same "kid". Give each key its own.');
      }
      await keySets.replace(set, jwks);
      return jwks;
    },
    // Deleting what is absent is no error, as in Hydra: programs that clean up delete without a read.
    async delete(set, kid) {
      await (isSigning(set) ? signingSet.remove(kid) : keySets.remove(set, kid));
    },
    async deleteSet(set) {
      assertReplaceable(set);
      await keySets.replace(set, []);
    },
  };
};
