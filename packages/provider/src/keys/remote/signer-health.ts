import type { Signer } from '../signing/signer.ts';

/** Whether the services sign, by the last call of each key. */
export interface SignerHealth {
  succeeded(kid: string): void;
  failed(kid: string, error: unknown): void;
  /**
   * The error of a key that signs now and that failed at its last call. Such a key is tried again, so that the answer does
   * not depend on further requests: at most every few seconds, whatever the number of callers.
   */
  check(active: readonly Signer[]): Promise<unknown>;
}

/** Milliseconds between two trials of a key that fails. */
const trialMs = 3_000;

/** Not the input of a JWS: the signature is good for nothing else. */
export const probe = Buffer.from('carnet');

export const createSignerHealth = (): SignerHealth => {
  const failures = new Map<string, { readonly error: unknown; triedAt: number }>();

  const failed: SignerHealth['failed'] = (kid, error) =>
    void failures.set(kid, { error, triedAt: failures.get(kid)?.triedAt ?? Number.NEGATIVE_INFINITY });

  const check = async (signer: Signer): Promise<unknown> => {
    const failure = failures.get(signer.kid);
    if (failure === undefined || performance.now() - failure.triedAt < trialMs) return failure?.error;
    failure.triedAt = performance.now();
    try {
      await signer.sign(probe);
      failures.delete(signer.kid);
      return undefined;
    } catch (error) {
      failed(signer.kid, error);
      return error;
    }
  };

  return {
    succeeded: (kid) => void failures.delete(kid),
    failed,
    check: async (active) => (await Promise.all(active.map(check))).find((error) => error !== undefined),
  };
};
