import { createPublicKey, verify } from 'node:crypto';
import { test } from 'vitest';
import type { CallOptions, RemoteKey } from '../src/index.ts';
import { keyWrapperLaws, reasonToSkip, type SignerSubject, signerLaws, type WrapperSubject } from '../src/laws.ts';

/** Tests each law with a signer of its own. `skipped` are the laws that need what the subject lacks. */
export const testSignerLaws = (open: () => Promise<SignerSubject>, skipped: readonly string[] = []): void => {
  test.for(signerLaws)('keeps $name', async (law, { expect }) => {
    const subject = await open();
    try {
      expect(reasonToSkip(law, subject) !== undefined).toBe(skipped.includes(law.name));
      if (!skipped.includes(law.name)) await law.check(subject);
    } finally {
      await subject.signer.close();
    }
  });
};

/** Tests each law with a key wrapper of its own. None is skipped. */
export const testKeyWrapperLaws = (open: () => Promise<WrapperSubject>): void => {
  test.for(keyWrapperLaws)('keeps $name', async (law, { expect }) => {
    const subject = await open();
    try {
      expect(reasonToSkip(law, subject)).toBeUndefined();
      await law.check(subject);
    } finally {
      await subject.wrapper.close();
    }
  });
};

/** The options of a call that is not aborted. */
export const calm = (): CallOptions => ({ signal: new AbortController().signal });

/** Whether this is the JWS signature of the data by the key (RFC 7518, section 3.4). */
export const isSignatureOf = ({ alg, publicKey }: RemoteKey, data: Uint8Array, signature: Uint8Array): boolean => {
  const key = createPublicKey({ key: publicKey, format: 'jwk' });
  return verify(alg === 'EdDSA' ? null : 'sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
};
