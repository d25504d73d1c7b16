import { type Signer, type SigningAlgorithm, verifySignature } from './signer.ts';

/** The keys of one provider: which one signs, what is accepted. */
export interface SigningKeys {
  readonly signers: readonly Signer[];
  /** The first key of an algorithm: put a new key in front to sign with it, keep the old one behind it to verify. */
  signerFor(alg: SigningAlgorithm): Signer | undefined;
  /** Whether the key `kid`, which must be one for `alg`, made `signature` over `data`. An unknown key: false. */
  verify(alg: SigningAlgorithm, kid: string, data: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * @throws TypeError when two keys have one kid.
 */
export const createSigningKeys = (signers: readonly Signer[]): SigningKeys => {
  const byKid = new Map(signers.map((signer) => [signer.kid, signer]));
  if (byKid.size !== signers.length) throw new TypeError('two signing keys have the same kid');
  const byAlg = new Map(signers.toReversed().map((signer) => [signer.alg, signer]));
  return {
    signers,
    signerFor: (alg) => byAlg.get(alg),
    verify: (alg, kid, data, signature) => {
      const signer = byKid.get(kid);
      // Safe against algorithm confusion because the algorithm comes from the key, and the token's claim must match it.
      return signer?.alg === alg && verifySignature(signer, data, signature);
    },
  };
};
