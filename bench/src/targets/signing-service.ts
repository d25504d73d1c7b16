import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const signingServices = ['gcpkms', 'vault', 'gcpiam', 'pkcs11', 'awskms'] as const;

/** The message that starts the stand-in. */
export interface SigningServiceOptions {
  readonly service: (typeof signingServices)[number];
  /** From the arrival of a request to its answer. `pkcs11` and `awskms` take their own time instead. */
  readonly latencyMs: number;
}

/** The message of a stand-in that is ready. */
export interface RunningService {
  /** The URL for `keys.signer`. */
  readonly signer: string;
  readonly alg: 'ES256' | 'RS256';
  /** The variables with the credential. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface SigningService extends RunningService {
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts a stand-in of a key management service in a process of its own. */
export const startSigningService = async (options: SigningServiceOptions): Promise<SigningService> => {
  const child = fork(fileURLToPath(new URL('signing-service-process.ts', import.meta.url)), { stdio: 'inherit' });
  child.send(options);
  const [running] = (await once(child, 'message')) as [RunningService];
  return {
    ...running,
    processId: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
