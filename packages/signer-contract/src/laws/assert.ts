import { constants, createPublicKey, type JsonWebKeyInput, type KeyObject, verify } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import type { SigningAlgorithm } from '../algorithm.ts';
import { type CallOptions, type RemoteKey, SignerUnavailableError, SignerUnfitError } from '../port.ts';
import type { Service } from './law.ts';

/** Runs the calls while the service has a fault. Does nothing if the test cannot cause the fault. */
export const during = async (cause: Service['interrupt'], calls: () => Promise<void>): Promise<void> => {
  const resume = await cause?.();
  if (!resume) return;
  try {
    await calls();
  } finally {
    await resume();
  }
};

/** A call that is never settled breaks the law instead of the test run. */
const settleSeconds = 30;

/** The options of a call that is not aborted. */
export const calm = (): CallOptions => ({ signal: new AbortController().signal });

/** Resolves with the error of a call. Throws if the call resolves, or is not settled within 30 seconds. */
export const rejectionOf = async (call: () => Promise<unknown>, what: string): Promise<unknown> => {
  const controller = new AbortController();
  const outcome = await Promise.race([
    // A function that throws before it returns a promise rejects here, too.
    (async () => await call())().then(
      () => `${what} resolved: expected a rejection`,
      (error: unknown) => ({ error }),
    ),
    delay(settleSeconds * 1_000, `${what} was not settled within ${settleSeconds} s`, { signal: controller.signal }),
  ]);
  controller.abort();
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome.error;
};

const rejectionWith =
  (expected: typeof SignerUnavailableError | typeof SignerUnfitError) =>
  async (call: () => Promise<unknown>, what: string): Promise<void> => {
    const error = await rejectionOf(call, what);
    assertHolds(error instanceof expected, `${what}: expected a ${expected.name}, got ${inspect(error)}`);
  };

export const assertUnavailable = rejectionWith(SignerUnavailableError);
export const assertUnfit = rejectionWith(SignerUnfitError);

const assertEnded = (error: unknown, { reason }: AbortSignal, what: string): void => {
  const isExpected = error === reason || error instanceof SignerUnavailableError;
  assertHolds(isExpected, `${what}: expected the signal's reason or a SignerUnavailableError, got ${inspect(error)}`);
};

/** An aborted call rejects with the reason of the signal, or as a service that does not answer. */
export const assertAborted = async (call: (options: CallOptions) => Promise<unknown>, what: string): Promise<void> => {
  const signal = AbortSignal.abort(new Error('the law aborted the call'));
  const error = await rejectionOf(() => call({ signal }), what);
  assertEnded(error, signal, what);
};

/** Starts a call that gets no answer, then aborts it. */
export const assertAbortable = async (
  call: (options: CallOptions) => Promise<unknown>,
  what: string,
): Promise<void> => {
  const controller = new AbortController();
  const pending = rejectionOf(() => call({ signal: controller.signal }), what);
  pending.catch(() => undefined);
  await delay(50);
  controller.abort(new Error('the law aborted the call'));
  assertEnded(await pending, controller.signal, what);
};

/** Throws if the error, or one of its causes, contains a secret in any usual encoding. */
export const assertKeepsSecret = (error: unknown, secrets: readonly (string | Uint8Array)[], what: string): void => {
  const text = inspect(error, { depth: 8, maxStringLength: null, maxArrayLength: null, showHidden: true });
  for (const secret of secrets) {
    const bytes = Buffer.from(secret as string);
    const forms = [...(['latin1', 'base64', 'base64url', 'hex'] as const).map((form) => bytes.toString(form))];
    const spaced = bytes
      .subarray(0, 16)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$& ');
    const found = [...forms, spaced].some((form) => text.includes(form));
    assertHolds(!found, `${what}: the error contains the data or a credential`);
  }
};

/** Throws unless this is the JWS signature of the data by the key. */
export const assertSignature = (
  key: { readonly alg: SigningAlgorithm; readonly publicKey: JsonWebKeyInput['key'] },
  data: Uint8Array,
  signature: Uint8Array,
  what: string,
): void => {
  const publicKey = createPublicKey({ key: key.publicKey, format: 'jwk' });
  const bytes = key.alg === 'RS256' ? (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8 : 64;
  assertSame(signature.length, bytes, `${what}: the length of an ${key.alg} signature in bytes`);
  assertHolds(verifies(key.alg, publicKey, data, signature), `${what}: the ${key.alg} signature does not verify`);
};

const verifies = (alg: SigningAlgorithm, publicKey: KeyObject, data: Uint8Array, signature: Uint8Array): boolean => {
  if (alg === 'EdDSA') return verify(null, data, publicKey, signature);
  if (alg === 'ES256') return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  return verify('sha256', data, { key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
};

export const handlesOf = (keys: readonly RemoteKey[]): readonly string[] => keys.map(({ handle }) => handle);
