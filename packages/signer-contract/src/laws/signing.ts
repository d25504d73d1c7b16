import { randomBytes } from 'node:crypto';
import { assertHolds } from '@carnet/adapter-contract/kit';
import type { RemoteKey, RemoteSignature } from '../port.ts';
import { assertSignature, calm } from './assert.ts';
import type { SignerSubject } from './law.ts';

/** The keys of the subject. Throws if it lists none. */
export const keysOf = async ({ signer }: SignerSubject): Promise<readonly RemoteKey[]> => {
  const keys = await signer.keys(calm());
  assertHolds(keys.length > 0, 'the signer lists no key: a law needs at least one');
  return keys;
};

/** The first listed key of each algorithm. */
export const keyOfEachAlgorithm = async (subject: SignerSubject): Promise<readonly RemoteKey[]> => [
  ...new Map((await keysOf(subject)).toReversed().map((key) => [key.alg, key])).values(),
];

/** Checks the result of a call with the key that signed: the given one, or the one that the result names. */
export const assertSignedBy = async (
  subject: SignerSubject,
  key: RemoteKey,
  { data, result, what }: { data: Uint8Array; result: RemoteSignature; what: string },
): Promise<void> => {
  if (!subject.serviceChoosesKey) return assertSignature(key, data, result.signature, what);
  const used = (await subject.signer.keys(calm())).find(({ kid }) => kid !== undefined && kid === result.kid);
  assertHolds(used !== undefined, `${what}: the result names the key ${result.kid}, which is not listed`);
  assertSignature(used, data, result.signature, what);
};

export const assertSigns = async (
  subject: SignerSubject,
  key: RemoteKey,
  data: Uint8Array,
  what: string,
): Promise<void> => assertSignedBy(subject, key, { data, result: await subject.signer.sign(key, data, calm()), what });

/** Data as a JWS has it: ASCII, and so long that it occurs nowhere else. */
export const freshData = (): Buffer =>
  Buffer.from(`${randomBytes(24).toString('hex')}.${randomBytes(24).toString('hex')}`);
