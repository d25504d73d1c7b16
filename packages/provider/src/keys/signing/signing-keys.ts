import { verifySignature } from '@carnet/signer-contract/jws';
import type { Signer, SigningAlgorithm } from './signer.ts';

/**
 * The keys of one provider, for signing and for verification.
 *
 * @throws TypeError if two keys have the same kid
 */
export const createSigningKeys = (signers: readonly Signer[]) => {
  const byKid = new Map(signers.map((signer) => [signer.kid, signer]));
  const double = signers.find((signer) => byKid.get(signer.kid) !== signer);
  if (double !== undefined) throw new TypeError(`two signing keys have the same kid: ${double.kid}`);
  const byAlg = new Map(signers.toReversed().map((signer) => [signer.alg, signer]));
  return {
    signers,
    /** The first key of an algorithm signs. Keep the old key behind it, to verify. */
    signerFor: (alg: SigningAlgorithm): Signer | undefined => byAlg.get(alg),
    /** Whether `signature` over `data` is valid under the key `kid`. False if the key is unknown or not for `alg`. */
    verify: (alg: SigningAlgorithm, kid: string, data: Uint8Array, signature: Uint8Array): boolean => {
      const signer = byKid.get(kid);
      // Safe against algorithm confusion: the algorithm is that of the key, and the token's `alg` must match it.
      return signer?.alg === alg && verifySignature(alg, signer.publicKey, data, signature);
    },
  };
};

export type SigningKeys = ReturnType<typeof createSigningKeys>;
