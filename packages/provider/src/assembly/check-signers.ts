import { createPublicKey } from 'node:crypto';
import type { RemoteSigner } from '@carnet/signer-contract';
import { verifySignature } from '@carnet/signer-contract/jws';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { withDeadline } from '../keys/remote/calls.ts';
import { type ListedKey, listKeys } from '../keys/remote/list-keys.ts';
import { openSigners } from '../keys/remote/open-signers.ts';
import { probe } from '../keys/remote/remote-signing.ts';

/** A key version at a service, or a service that does not list its keys. */
export interface CheckedSigner {
  readonly service: string;
  readonly handle?: string;
  readonly alg?: string;
  /** Undefined: the key signs. */
  readonly problem?: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The problem of a key; undefined if it signs. */
const problemOf = async (signer: RemoteSigner, { alg, kid, publicJwk, key }: ListedKey, ms: number) => {
  const { signature, kid: signedBy = kid } = await withDeadline((call) => signer.sign(key, probe, call), ms);
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  // A service that chooses its key signs with one of the others.
  const isOwn = signedBy === kid;
  return isOwn && !verifySignature(alg, publicKey, probe, signature) ? 'its signature does not verify' : undefined;
};

const checkSigner = async (signer: RemoteSigner, ms: number): Promise<readonly CheckedSigner[]> => {
  const { service } = signer;
  try {
    const keys = await listKeys(signer, () => undefined);
    if (keys.length === 0) return [{ service, problem: 'it lists no key that can sign' }];
    const problems = await Promise.all(keys.map((key) => problemOf(signer, key, ms).catch(messageOf)));
    return keys.map(({ handle, alg }, at) => ({ service, handle, alg, problem: problems[at] }));
  } catch (error) {
    return [{ service, problem: messageOf(error) }];
  }
};

/**
 * Lists the keys of the configured services, and signs with each.
 *
 * @throws ConfigError when a package, a module or a credential is missing
 */
export const checkSigners = async ({ keys }: Pick<Config, 'keys'>): Promise<readonly CheckedSigner[]> => {
  const { signers, close } = await openSigners(signerUrlsOf(keys));
  try {
    return (await Promise.all(signers.map((signer) => checkSigner(signer, keys.signerTimeoutMs)))).flat();
  } finally {
    await close();
  }
};
