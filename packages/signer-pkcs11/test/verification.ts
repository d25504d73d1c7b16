import { createPublicKey, verify } from 'node:crypto';
import type { RemoteKey } from '@carnet/signer-contract';

/** Whether an ES256 signature is that of this key. */
export const verifies = ({ publicKey }: RemoteKey, data: Uint8Array, signature: Uint8Array): boolean => {
  const key = createPublicKey({ key: publicKey, format: 'jwk' });
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
};

/** The options of a call that is not aborted. */
export const calm = { signal: new AbortController().signal };
