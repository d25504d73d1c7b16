import { createHash, randomBytes } from 'node:crypto';
import { encodeBase32 } from '../otp/base32.ts';
import type { Acceptance } from '../secrets/accept-once.ts';
import type { Factor } from '../store.ts';

const codeCount = 10;
const codeBytes = 10;

interface RecoveryPayload {
  readonly hashes: readonly string[];
}

const normalise = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** A code has 80 random bits, so that a fast hash is enough. It is bound to its user and its set. */
const hashOf = ({ subject, id }: Pick<Factor, 'subject' | 'id'>, code: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['recovery-code', subject, id, normalise(code)]))
    .digest('base64url');

/** Ten codes in groups of four, such as `J4QX-7ZKM-2WDA-TR5P`, and the payload with their hashes. */
export const createCodes = (factor: Pick<Factor, 'subject' | 'id'>): { codes: readonly string[]; payload: string } => {
  const codes = Array.from({ length: codeCount }, () =>
    (encodeBase32(randomBytes(codeBytes)).match(/.{4}/g) ?? []).join('-'),
  );
  const payload: RecoveryPayload = { hashes: codes.map((code) => hashOf(factor, code)) };
  return { codes, payload: JSON.stringify(payload) };
};

const hashesOf = (factor: Factor): readonly string[] => (JSON.parse(factor.payload) as RecoveryPayload).hashes;

export const remainingCodes = (factor: Factor): number => hashesOf(factor).length;

/** Removes the code from the set; undefined if it is not in it. */
export const takeCode = (factor: Factor, code: string): Acceptance | undefined => {
  const hashes = hashesOf(factor);
  const hash = hashOf(factor, code);
  if (!hashes.includes(hash)) return undefined;
  return { payload: JSON.stringify({ hashes: hashes.filter((each) => each !== hash) } satisfies RecoveryPayload) };
};
