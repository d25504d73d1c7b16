import { CarnetError } from '../../errors.ts';
import type { RotateOptions } from '../rotation/rotation.ts';
import { isSigningAlgorithm, type Signer, type SigningAlgorithm, signingAlgorithms } from '../signing/signer.ts';
import { parsePrivateSigner } from '../sources/load-keys.ts';
import type { SigningKeySource } from '../sources/signing-key-source.ts';
import type { Jwk } from './jwk-schema.ts';

/** The signing keys, as the admin API lists and changes them. */
export interface ManagedKeys {
  /** Public members only: temporary access to the admin API must not allow a caller to sign tokens later. */
  list(): readonly Jwk[];
  /** Creates a key that signs as soon as every process knows it. The previous keys are retired. */
  add(alg: string, kid?: string): Promise<Jwk>;
  /** The same with an imported private key. */
  adopt(jwk: Jwk): Promise<Jwk>;
  /** Removes a key. Returns whether it existed. @throws CarnetError `conflict` if the key signs */
  remove(kid: string): Promise<boolean>;
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

export const createManagedKeys = (source: Pick<SigningKeySource, 'current' | 'stored'>): ManagedKeys => {
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
  const rotate = async (alg: SigningAlgorithm, options: RotateOptions): Promise<Jwk> => {
    const { rotation, refresh } = assertMaking();
    const { signer } = await rotation.rotate(alg, { ...options, soon: true });
    await refresh();
    return toJwk(signer);
  };

  return {
    list: () => source.current().signers.map(toJwk),
    add: (alg, kid) => {
      assertMaking();
      return rotate(assertSigningAlgorithm(alg), { kid });
    },
    adopt: (jwk) => {
      assertMaking();
      return rotate(assertUsable(jwk), { jwk });
    },
    async remove(kid) {
      const { rotation, refresh } = assertStored();
      const wasThere = await rotation.remove(kid);
      await refresh();
      return wasThere;
    },
  };
};
