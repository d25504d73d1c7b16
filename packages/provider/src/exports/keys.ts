/** `@carnet/provider/keys`: signing keys, from a file or in the store: generating, loading, listing and rotating them. */
export { type CheckedSigner, checkSigners } from '../assembly/check-signers.ts';
export { unsealStoredKeys, withStoredKeys } from '../assembly/stored-keys.ts';
export { privateJwkMembers } from '../jwk.ts';
export { generateKeys } from '../keys/generate-keys.ts';
export { type Jwk, parseJwk } from '../keys/jwk-schema.ts';
export { loadKeys, parsePrivateSigner } from '../keys/load-keys.ts';
export type { Rotation } from '../keys/rotation.ts';
export { type SigningAlgorithm, signingAlgorithms } from '../keys/signer.ts';
export { createSigningKeys } from '../keys/signing-keys.ts';
