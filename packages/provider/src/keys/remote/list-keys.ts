import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import type { RemoteKey, RemoteSigner } from '@carnet/signer-contract';
import { thumbprint } from '@carnet/signer-contract/jws';
import { ConfigError } from '../../errors.ts';
import { kidSchema } from '../sets/jwk-schema.ts';
import { algorithmOf, assertStrong } from '../signing/signer.ts';
import { type ObserveCall, observed, withDeadline } from './calls.ts';

/** Longer than for a signature: a list may ask the service for each key, one after the other. Milliseconds. */
const listTimeoutMs = 15_000;

/** Names a key version, in the store and in the log. */
export interface RemoteReference {
  readonly service: string;
  readonly handle: string;
}

/** A key version that a service lists: it can sign. */
export interface ListedKey extends RemoteReference, Pick<RemoteKey, 'alg'> {
  readonly kid: string;
  /** The public members, no others. */
  readonly publicJwk: JsonWebKeyInput['key'];
  readonly key: RemoteKey;
}

const publicMembers = ({ kty, n, e, crv, x, y }: JsonWebKeyInput['key']): JsonWebKeyInput['key'] =>
  Object.fromEntries(Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined));

/** Throws an Error whose message completes "the key ...". */
const assertUsable = ({ alg, kid }: RemoteKey, publicJwk: JsonWebKeyInput['key']): void => {
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  if (algorithmOf(publicKey) !== alg) throw new Error(`is listed for ${alg}, but is of another type`);
  assertStrong(publicKey);
  if (kid !== undefined && !kidSchema.safeParse(kid).success) throw new Error('has a "kid" that is not printable');
};

const toListed = (service: string, key: RemoteKey): ListedKey => {
  const publicJwk = publicMembers(key.publicKey);
  try {
    assertUsable(key, publicJwk);
  } catch (error) {
    throw new ConfigError([`keys.signer: the key ${key.handle} (${service}) ${(error as Error).message}.`]);
  }
  const { handle, alg, kid = thumbprint(publicJwk) } = key;
  return { service, handle, alg, kid, publicJwk, key };
};

/** A key may be listed under two ids: to clients it is one key. Two different keys with the same `kid` are an error. */
const assertDistinct = (service: string, keys: readonly ListedKey[]): void => {
  for (const { kid, handle, publicJwk } of keys) {
    const other = keys.find((key) => key.kid === kid && thumbprint(key.publicJwk) !== thumbprint(publicJwk));
    if (other === undefined) continue;
    const ids = `${handle} and ${other.handle}`;
    throw new ConfigError([`keys.signer: the keys ${ids} (${service}) have the same kid ${kid}. Give each its own.`]);
  }
};

/**
 * The keys that can sign now, as the service lists them: for each algorithm from the oldest to the newest.
 *
 * @throws SignerUnavailableError, SignerUnfitError; ConfigError for a key that Carnet does not sign with, or for two with one `kid`
 */
export const listKeys = async (signer: RemoteSigner, observe: ObserveCall): Promise<readonly ListedKey[]> => {
  const { service } = signer;
  const keys = await observed({ service, operation: 'keys' }, observe, () =>
    withDeadline((options) => signer.keys(options), listTimeoutMs),
  );
  const listed = keys.map((key) => toListed(service, key));
  assertDistinct(service, listed);
  return listed;
};
