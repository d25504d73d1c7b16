import type { StorageAdapter } from '@carnet/adapter-contract';
import type { RemoteSigner } from '@carnet/signer-contract';
import type { Clock } from '../clock.ts';
import type { KeysConfig } from './config.ts';
import type { ObserveCall } from './remote/calls.ts';
import type { RemoteReference } from './remote/list-keys.ts';
import type { Rotation } from './rotation.ts';
import type { KeyState } from './rotation-schedule.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Vault } from './vault.ts';

/** The source of the signing keys, which may change while the process runs. */
export interface SigningKeySource {
  /** The current keys. */
  current(): SigningKeys;
  /** Called when the signing or published keys change. */
  onChange(listener: (keys: SigningKeys) => void): void;
  /** The keys in the store. Undefined if the keys are in a file. */
  readonly stored?: {
    readonly rotation: Rotation;
    /** Reads the store now instead of at the next poll. */
    refresh(): Promise<void>;
    /** Whether services hold the keys. */
    readonly isExternal: boolean;
  };
  /** Why the service of a key that signs does not sign. Undefined: it does, or no service holds keys. */
  problem(): Promise<unknown>;
  readonly warnings: readonly string[];
  stop(): void;
}

/** A key in a new state, for the log. */
export interface ChangedKey extends Partial<RemoteReference> {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly state: KeyState | 'missing';
}

export type KeyEvent =
  | { readonly storeError: unknown }
  | { readonly signerError: unknown }
  | { readonly invalidSignature: RemoteReference & { readonly kid: string } }
  | { readonly sealedAgain: number }
  | { readonly published: readonly string[]; readonly changed: readonly ChangedKey[] };

export interface SourceDependencies extends Clock {
  readonly config: KeysConfig;
  readonly adapter: Pick<StorageAdapter, 'commit' | 'list'>;
  readonly vault: Vault;
  /** The services that hold keys. */
  readonly signers?: readonly RemoteSigner[];
  readonly observe?: ObserveCall;
  readonly report: (event: KeyEvent) => void;
}
