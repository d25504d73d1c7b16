/** `@carnet/provider/keys`: signing keys, from a file or in the store: generating, loading, listing and rotating them. */
export { type CheckedSigner, checkSigners } from '../assembly/check-signers.ts';
export { unsealStoredKeys, withStoredKeys } from '../assembly/stored-keys.ts';
export { privateJwkMembers } from '../jwk.ts';
export type { Rotation } from '../keys/rotation/rotation.ts';
export { type Jwk, parseJwk } from '../keys/sets/jwk-schema.ts';
export { type SigningAlgorithm, signingAlgorithms } from '../keys/signing/signer.ts';
export { createSigningKeys } from '../keys/signing/signing-keys.ts';
export { generateKeys } from '../keys/sources/generate-keys.ts';
export { loadKeys, parsePrivateSigner } from '../keys/sources/load-keys.ts';
