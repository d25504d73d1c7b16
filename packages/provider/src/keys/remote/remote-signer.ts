import { createPublicKey } from 'node:crypto';
import { verifySignatureInThread } from '@carnet/signer-contract/jws';
import type { SignedInput, Signer, SigningShare } from '../signing/signer.ts';
import type { RemoteReference } from './list-keys.ts';
import type { RemoteKeys, RemotePublicKey } from './remote-keys.ts';
import { isUnfit, signerUnavailable } from './signer-errors.ts';

export type RemoteEvent =
  | { readonly signerError: unknown }
  /** A signature does not verify. */
  | { readonly invalidSignature: RemoteReference & { readonly kid: string } };

export interface RemoteSignerDependencies {
  readonly remoteKeys: Pick<RemoteKeys, 'sign' | 'choose'>;
  readonly health: { succeeded(kid: string): void; failed(kid: string, error: unknown): void };
  /** The published key with this `kid`. */
  readonly find: (kid: string) => Signer | undefined;
  /** Called when the keys of the services may have changed. */
  readonly onChanged: () => void;
  readonly report: (event: RemoteEvent) => void;
}

/** For a key that another process has stored, where no signer is configured. */
export const withoutService = ({ kid, alg, publicJwk, remote }: RemotePublicKey): Signer => ({
  kid,
  alg,
  publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
  sign: () => Promise.reject(signerUnavailable(new Error(`There is no signer for a key of ${remote.service}.`))),
});

/**
 * A signing key that a service holds. `sign` throws CarnetError `signer_unavailable` if the service does not sign, or its
 * signature does not verify; `too_busy` if too many requests wait for it.
 */
export const createRemoteSigner = (
  key: RemotePublicKey,
  { remoteKeys, health, find, onChanged, report }: RemoteSignerDependencies,
): Signer => {
  const { kid, alg, remote } = key;
  const publicKey = createPublicKey({ key: key.publicJwk, format: 'jwk' });

  const fail = (error: unknown): never => {
    const named = signerUnavailable(error);
    if (named.code === 'signer_unavailable') health.failed(kid, named);
    // The service may have disabled the key since it listed its keys.
    if (isUnfit(error)) onChanged();
    throw named;
  };

  const signInput = async <Input extends string | Uint8Array>(
    inputOf: (kid: string) => Input,
    isLast = false,
    share?: SigningShare,
  ): Promise<SignedInput<Input>> => {
    const input = inputOf(kid);
    const data = Buffer.from(input);
    const { signature, kid: signedBy = kid } = await remoteKeys.sign(key, data, share).catch(fail);
    if (signedBy !== kid) {
      // The service has signed with another key than the one in the header.
      remoteKeys.choose(alg, signedBy);
      onChanged();
      const next = isLast ? undefined : find(signedBy);
      if (next?.signInput !== undefined) return next.signInput(inputOf, true);
      return fail(
        new Error(`${remote.service} signs with its key ${signedBy} now, which is not the key of the header.`),
      );
    }
    // The one step that keeps a signature of another key, or in another form, from leaving the process. In a thread: the caller waits for a service anyway.
    if (!(await verifySignatureInThread(alg, publicKey, data, signature))) {
      report({ invalidSignature: { ...remote, kid } });
      return fail(new Error('The signature of the service does not verify with the public key of this version.'));
    }
    health.succeeded(kid);
    return { input, signature };
  };

  return {
    kid,
    alg,
    publicKey,
    // The header is fixed: if the service has signed with another key, the client's next request gets a header with that.
    sign: async (data, share) => (await signInput(() => data, true, share)).signature,
    signInput,
  };
};
