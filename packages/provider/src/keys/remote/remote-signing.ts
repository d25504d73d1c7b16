import { CarnetError, ConfigError } from '../../errors.ts';
import type { Signer, SigningAlgorithm } from '../signing/signer.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { createRemoteKeys, type RemoteKeysDependencies, type RemotePublicKey } from './remote-keys.ts';
import { createRemoteSigner, type RemoteSignerDependencies } from './remote-signer.ts';
import { isUnavailable, isUnfit, remedyOf, startError } from './signer-errors.ts';

export type RemoteSigningDependencies = RemoteKeysDependencies &
  Omit<RemoteSignerDependencies, 'remoteKeys' | 'health'>;

/** Milliseconds between two trials of a key that fails. */
const trialMs = 3_000;

/** Not the input of a JWS: the signature is good for nothing else. */
export const probe = Buffer.from('carnet');

/**
 * Whether the services sign, by the last call of each key. `check` returns the error of a key that signs now and that failed
 * at its last call. Such a key is tried again, so that the answer does not depend on further requests: at most every few
 * seconds, whatever the number of callers.
 */
const createSignerHealth = () => {
  const failures = new Map<string, { readonly error: unknown; triedAt: number }>();

  const failed = (kid: string, error: unknown): void =>
    void failures.set(kid, { error, triedAt: failures.get(kid)?.triedAt ?? Number.NEGATIVE_INFINITY });

  const check = async (signer: Signer): Promise<unknown> => {
    const failure = failures.get(signer.kid);
    if (failure === undefined || performance.now() - failure.triedAt < trialMs) return failure?.error;
    failure.triedAt = performance.now();
    try {
      // The signer reports its success.
      await signer.sign(probe);
      return undefined;
    } catch (error) {
      failed(signer.kid, error);
      return error;
    }
  };

  return {
    succeeded: (kid: string): void => void failures.delete(kid),
    failed,
    check: async (active: readonly Signer[]): Promise<unknown> =>
      (await Promise.all(active.map(check))).find((error) => error !== undefined),
  };
};

/** The keys that sign now, one for each algorithm. */
const activeIn = ({ signers, signerFor }: SigningKeys): readonly Signer[] =>
  signers.filter((signer) => signer.signInput !== undefined && signerFor(signer.alg) === signer);

const missingKey = (idTokenAlg: SigningAlgorithm, { signers }: SigningKeys): ConfigError => {
  const algorithms = [...new Set(signers.map(({ alg }) => alg))];
  const there = algorithms.length === 0 ? 'lists no key that can sign' : `has keys for ${algorithms.join(', ')} only`;
  const remedy =
    algorithms.length === 0 ? 'Create one' : `Set ID_TOKEN_ALG to ${algorithms.join(' or ')}, or create one`;
  return new ConfigError([`keys.idTokenAlg: is ${idTokenAlg}, and the signing service ${there}. ${remedy}.`]);
};

/** Signing with the keys of services: their lists, their health, and a signer for each key. */
export const createRemoteSigning = (deps: RemoteSigningDependencies) => {
  const { report } = deps;
  const remoteKeys = createRemoteKeys(deps);
  const health = createSignerHealth();
  let outage: unknown;

  const trySigning = async (signer: Signer): Promise<void> => {
    try {
      // A service that chooses its key names it now, and the process follows.
      await (signer.signInput?.(() => probe.toString()) ?? signer.sign(probe));
    } catch (error) {
      const cause = error instanceof CarnetError ? error.cause : error;
      if (!isUnavailable(cause)) throw new ConfigError([`keys.signer: ${remedyOf(error)}`]);
      report({ signerError: error });
    }
  };

  return {
    remoteKeys,
    toSigner: (key: RemotePublicKey): Signer => createRemoteSigner(key, { ...deps, remoteKeys, health }),
    /** Lists the keys. Reports what fails. */
    async refresh(): Promise<void> {
      for (const signerError of await remoteKeys.refresh()) report({ signerError });
    },
    /** Lists the keys at start. @throws ConfigError unless the services answer or are away for a moment */
    async begin(): Promise<void> {
      const errors = await remoteKeys.refresh();
      const unfit = errors.filter((error) => !isUnavailable(error));
      const problems = unfit.filter(isUnfit).map(({ message }) => `keys.signer: ${message}`);
      if (problems.length > 0) throw new ConfigError(problems);
      if (unfit.length > 0) throw unfit[0];
      for (const signerError of errors) report({ signerError });
      outage = errors[0];
    },
    /**
     * Whether the keys that sign at start are sufficient, and sign.
     *
     * @throws ConfigError if an operator must act; CarnetError `signer_unavailable` if the service was never reached
     */
    async assertReady(keys: SigningKeys, idTokenAlg: SigningAlgorithm): Promise<void> {
      if (keys.signerFor(idTokenAlg) === undefined) {
        throw outage === undefined ? missingKey(idTokenAlg, keys) : startError('keys.signer', outage);
      }
      await Promise.all(activeIn(keys).map(trySigning));
    },
    /** The error of the keys that sign now, if they do not. */
    problem: (keys: SigningKeys): Promise<unknown> => health.check(activeIn(keys)),
  };
};

export type RemoteSigning = ReturnType<typeof createRemoteSigning>;
