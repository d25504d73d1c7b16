import type { RemoteSigner } from '@carnet/signer-contract';
import type { KeysConfig } from '../config.ts';
import type { ObserveCall } from '../remote/calls.ts';
import type { RemoteReference } from '../remote/list-keys.ts';
import type { RemoteEvent } from '../remote/remote-signer.ts';
import { createRemoteSigning, type RemoteSigning, type RemoteSigningDependencies } from '../remote/remote-signing.ts';
import { jitter, openRotation, type Rotation, type RotationDependencies } from '../rotation/rotation.ts';
import type { KeyInState, KeyState } from '../rotation/schedule.ts';
import type { SigningAlgorithm } from '../signing/signer.ts';
import { createSigningKeys, type SigningKeys } from '../signing/signing-keys.ts';
import { loadKeys } from './load-keys.ts';
import type { StoredKey } from './stored-keys.ts';

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
  | RemoteEvent
  | { readonly storeError: unknown }
  | { readonly sealedAgain: number }
  | { readonly published: readonly string[]; readonly changed: readonly ChangedKey[] };

export interface SourceDependencies extends RotationDependencies {
  /** The services that hold keys. */
  readonly signers?: readonly RemoteSigner[];
  readonly observe?: ObserveCall;
  readonly report: (event: KeyEvent) => void;
}

/** Work that is repeated until `stop`, one run after the other. */
interface Polling {
  /** Runs earlier than planned, in a second. */
  soon(): void;
  stop(): void;
}

const soonMs = 1_000;

/** @param delayMs the pause before the next run */
const startPolling = (
  work: () => Promise<void>,
  delayMs: () => number,
  reportError: (error: unknown) => void,
): Polling => {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isStopped = false;
  let isSoon = false;

  const schedule = (): void => {
    clearTimeout(timer);
    // While it runs, the next run is planned at its end.
    if (!isStopped && !isRunning) timer = setTimeout(run, isSoon ? soonMs : delayMs()).unref();
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    isSoon = false;
    try {
      await work();
    } catch (error) {
      if (!isStopped) reportError(error);
    }
    isRunning = false;
    schedule();
  };
  schedule();

  return {
    soon() {
      if (isSoon) return;
      isSoon = true;
      schedule();
    },
    stop() {
      isStopped = true;
      schedule();
    },
  };
};

const order = ['active', 'announced', 'retired', 'gone'] as const;

/** The key that signs is the first of its algorithm. */
const toSigningKeys = (states: readonly KeyInState<StoredKey>[]): SigningKeys =>
  createSigningKeys(
    states
      .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.key.generation - a.key.generation)
      .map(({ key }) => key.signer),
  );

const namesOf = ({ signers }: SigningKeys): string => signers.map(({ kid }) => kid).join(' ');

const changesOf = (before: readonly ChangedKey[], after: readonly ChangedKey[]): readonly ChangedKey[] => [
  ...after.filter(({ kid, state }) => before.find((key) => key.kid === kid)?.state !== state),
  ...before
    .filter(({ kid }) => !after.some((key) => key.kid === kid))
    .map((key) => ({ ...key, state: 'gone' as const })),
];

/** The keys as one poll has found them. */
interface Snapshot {
  readonly states: readonly KeyInState<StoredKey>[];
  readonly keys: SigningKeys;
  readonly named: readonly ChangedKey[];
}

const snapshotOf = (states: Snapshot['states'], remote?: RemoteSigning): Snapshot => {
  const named = states.map(({ key, state }): ChangedKey => {
    const isMissing = remote?.remoteKeys.canSign(key) === false;
    return { kid: key.kid, alg: key.alg, ...key.remote, state: isMissing ? 'missing' : state };
  });
  return { states, keys: toSigningKeys(states), named };
};

const openRemote = (
  { signers = [], config, observe = () => undefined, report }: SourceDependencies,
  published: Pick<RemoteSigningDependencies, 'find' | 'onChanged'>,
): RemoteSigning | undefined =>
  signers.length === 0 ? undefined : createRemoteSigning({ signers, config, observe, report, ...published });

/** The keys that the store knows, generated by Carnet or held by services, on their schedule. */
const openStoredSource = async (deps: SourceDependencies): Promise<SigningKeySource> => {
  const { config, now, report } = deps;
  const listeners: ((keys: SigningKeys) => void)[] = [];
  let current = snapshotOf([]);
  let polling: Polling | undefined;
  const remote = openRemote(deps, {
    find: (kid) => current.keys.signers.find((signer) => signer.kid === kid),
    onChanged: () => polling?.soon(),
  });
  const { stored, rotation } = openRotation(deps, remote);
  const advance = async (): Promise<Snapshot> => snapshotOf(await rotation.advance(), remote);
  await remote?.begin();
  current = await advance();
  await remote?.assertReady(current.keys, config.idTokenAlg);
  // Again, because a service may have named the key that it has chosen.
  if (remote) current = await advance();

  const refresh = async (): Promise<void> => {
    await remote?.refresh();
    const next = await advance();
    const changed = changesOf(current.named, next.named);
    if (namesOf(next.keys) !== namesOf(current.keys)) for (const listener of listeners) listener(next.keys);
    // Assigned last: if a listener throws, the next poll calls it again.
    current = next;
    if (changed.length > 0) report({ published: current.keys.signers.map(({ kid }) => kid), changed });
  };
  const poll = async (): Promise<void> => {
    await refresh();
    const sealedAgain = await stored.sealAgain();
    if (sealedAgain > 0) report({ sealedAgain });
  };
  /** The delay until the next poll, or until the next change of a key's state if that is earlier. */
  const delayMs = (): number => {
    const interval = config.pollSeconds * 1000 * (1 + Math.random() * jitter);
    const ends = current.states.map(({ until = 0 }) => until - now()).filter((ms) => ms > 0);
    return Math.max(1_000, Math.min(interval, ...ends));
  };
  // The current keys stay in use while the store does not answer.
  polling = startPolling(poll, delayMs, (storeError) => report({ storeError }));

  return {
    current: () => current.keys,
    onChange: (listener) => void listeners.push(listener),
    stored: { rotation, refresh, isExternal: config.source === 'external' },
    warnings: [],
    problem: async () => remote?.problem(current.keys),
    stop: () => polling?.stop(),
  };
};

const openFixedSource = (config: KeysConfig): SigningKeySource => {
  const { signers, warnings } = loadKeys(config);
  const keys = createSigningKeys(signers);
  return {
    current: () => keys,
    onChange: () => undefined,
    warnings,
    problem: async () => undefined,
    stop: () => undefined,
  };
};

/**
 * Opens the configured source of signing keys. Keys of a file do not change until the next start. Keys in the store
 * are generated, announced, activated and retired on a schedule. Keys of services are announced when they appear there.
 *
 * @throws ConfigError if a key is not valid or cannot be decrypted; CarnetError `storage_unavailable`, `signer_unavailable`
 */
export const openSigningKeySource = async (deps: SourceDependencies): Promise<SigningKeySource> =>
  ['store', 'external'].includes(deps.config.source ?? '') ? openStoredSource(deps) : openFixedSource(deps.config);
