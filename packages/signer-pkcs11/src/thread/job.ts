import type { RemoteKey } from '@carnet/signer-contract';
import type { ObjectChoice, TokenChoice } from '../url.ts';
import type { Failure } from './failure.ts';

/** The settings of a thread. */
export interface ThreadSettings {
  readonly modulePath: string;
  readonly token: TokenChoice;
  readonly object: ObjectChoice;
}

/** The jobs of a thread with their results. */
export interface Jobs {
  /** Opens a new session in place of the present one, and logs in. */
  readonly connect: { readonly input: { readonly pin: string }; readonly result: undefined };
  readonly keys: {
    readonly input: undefined;
    readonly result: { readonly keys: readonly RemoteKey[]; readonly warnings: readonly string[] };
  };
  readonly sign: {
    readonly input: { readonly handle: string; readonly data: Uint8Array };
    readonly result: Uint8Array;
  };
  readonly wrap: { readonly input: { readonly secret: Uint8Array }; readonly result: Uint8Array };
  readonly unwrap: { readonly input: { readonly wrapped: Uint8Array }; readonly result: Uint8Array };
}

export type JobName = keyof Jobs;

/** The message to a thread. It runs one job at a time. */
export interface Request<Name extends JobName = JobName> {
  readonly job: Name;
  readonly input: Jobs[Name]['input'];
}

/** The message of a thread: one for each request. */
export type Reply<Name extends JobName = JobName> =
  | { readonly result: Jobs[Name]['result'] }
  | { readonly failure: Failure };
