import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A secret for the browser that sends a form, and its digest for the link of the email. */
export const createProof = (): { readonly proof: string; readonly proofHash: string } => {
  const proof = randomBytes(16).toString('base64url');
  return { proof, proofHash: digest(proof).toString('base64url') };
};

/** Whether the proof belongs to the link with this digest. Links of earlier versions have none. */
export const isProof = (proofHash: string | undefined, proof: string): boolean =>
  proofHash !== undefined && timingSafeEqual(digest(proof), Buffer.from(proofHash, 'base64url'));
