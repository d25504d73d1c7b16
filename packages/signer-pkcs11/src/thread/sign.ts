import { createHash } from 'node:crypto';
import type { SigningAlgorithm } from '@carnet/signer-contract';
import type { Session } from './session.ts';
import type { SigningKey } from './signing-keys.ts';

/** DigestInfo of SHA-256, without the digest (RFC 8017, section 9.2, note 1). */
const sha256DigestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const largestSignatureBytes = 1_024;
/** Constant of PKCS #11 v3.0, which pkcs11js does not have. */
const CKM_EDDSA = 0x1057;

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/**
 * Carnet hashes the data itself: modules limit the length of what they hash, and every module signs a digest. Ed25519 signs
 * the data.
 */
const inputOf = (
  { CKM_RSA_PKCS, CKM_ECDSA }: Session['pkcs11'],
  alg: SigningAlgorithm,
  data: Uint8Array,
): { readonly mechanism: number; readonly input: Buffer } => {
  if (alg === 'RS256') return { mechanism: CKM_RSA_PKCS, input: Buffer.concat([sha256DigestInfo, sha256(data)]) };
  if (alg === 'ES256') return { mechanism: CKM_ECDSA, input: sha256(data) };
  return { mechanism: CKM_EDDSA, input: Buffer.from(data) };
};

/** The JWS signature: PKCS #11 returns ECDSA signatures as r and s, not as DER. */
export const sign = (
  { pkcs11, module, handle }: Session,
  { alg, object }: SigningKey,
  data: Uint8Array,
): Uint8Array => {
  const { mechanism, input } = inputOf(pkcs11, alg, data);
  module.C_SignInit(handle, { mechanism }, object);
  return Uint8Array.from(module.C_Sign(handle, input, Buffer.alloc(largestSignatureBytes)));
};
