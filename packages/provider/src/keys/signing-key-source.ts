import type { StorageAdapter } from '@carnet/adapter-contract';
import { clockSkewSeconds } from '../clock-skew.ts';
import type { KeysConfig } from './config.ts';
import { jwksMaxAgeSeconds } from './jwks-age.ts';
import { loadKeys } from './load-keys.ts';
import { createRotation, type Rotation } from './rotation.ts';
import type { KeyInState } from './rotation-schedule.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createStoredKeys, type StoredKey, type StoredKeys } from './stored-keys.ts';
import type { Vault } from './vault.ts';

/** Up to a quarter of the interval is added at random, so that processes do not poll at the same time. */
const jitter = 0.25;
/** A tolerance for clocks that differ and for the duration of a poll. */
const slackSeconds = clockSkewSeconds + 15;

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
  };
  readonly warnings: readonly string[];
  stop(): void;
}

export interface SourceDependencies {
  readonly config: KeysConfig;
  readonly adapter: Pick<StorageAdapter, 'commit' | 'list'>;
  readonly vault: Vault;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly report: (
    event: { readonly error: unknown } | { readonly sealedAgain: number } | { readonly published: readonly string[] },
  ) => void;
}

const order = ['active', 'announced', 'retired', 'gone'] as const;

/** The key that signs is the first of its algorithm. */
const toSigningKeys = (states: readonly KeyInState<StoredKey>[]): SigningKeys =>
  createSigningKeys(
    states
      .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.key.generation - a.key.generation)
      .map(({ key }) => key.signer),
  );

const namesOf = ({ signers }: SigningKeys): string => signers.map(({ kid }) => kid).join(' ');

export const openRotation = (deps: Omit<SourceDependencies, 'report'>): { stored: StoredKeys; rotation: Rotation } => {
  const { config, adapter, vault, now } = deps;
  const stored = createStoredKeys({ adapter, vault, now });
  const rotation = createRotation({
    stored,
    schedule: {
      announcedSeconds: config.announced,
      activeSeconds: config.active,
      // A process whose clock is slow signs with a key that others have already retired.
      retiredSeconds: config.retired + clockSkewSeconds,
    },
    algorithms: config.algorithms,
    // Until the slowest process has read the key and cached copies of the previous JWKS have expired.
    spreadSeconds: config.pollSeconds * (1 + jitter) + slackSeconds + jwksMaxAgeSeconds,
    now,
  });
  return { stored, rotation };
};

const openStoredSource = async (deps: SourceDependencies): Promise<SigningKeySource> => {
  const { config, now, report } = deps;
  const { stored, rotation } = openRotation(deps);
  const listeners: ((keys: SigningKeys) => void)[] = [];
  let states = await rotation.advance();
  let current = toSigningKeys(states);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const refresh = async (): Promise<void> => {
    states = await rotation.advance();
    const next = toSigningKeys(states);
    if (namesOf(next) === namesOf(current)) return;
    for (const listener of listeners) listener(next);
    // Assigned last: if a listener throws, the next poll calls it again.
    current = next;
    report({ published: next.signers.map(({ kid }) => kid) });
  };
  /** The delay until the next poll, or until the next change of a key's state if that is earlier. */
  const delayMs = (): number => {
    const poll = config.pollSeconds * 1000 * (1 + Math.random() * jitter);
    const ends = states.flatMap(({ until = Number.POSITIVE_INFINITY }) => (until > now() ? [until - now()] : []));
    return Math.max(1_000, Math.min(poll, ...ends));
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(poll, delayMs());
    timer.unref();
  };
  const poll = async (): Promise<void> => {
    try {
      await refresh();
      const sealedAgain = await stored.sealAgain();
      if (sealedAgain > 0) report({ sealedAgain });
    } catch (error) {
      // The known keys stay in use while the store does not answer.
      if (!isStopped) report({ error });
    }
    schedule();
  };
  schedule();

  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    stored: { rotation, refresh },
    warnings: [],
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

const openFixedSource = (config: KeysConfig): SigningKeySource => {
  const { signers, warnings } = loadKeys(config);
  const keys = createSigningKeys(signers);
  return { current: () => keys, onChange: () => undefined, warnings, stop: () => undefined };
};

/**
 * Opens the configured source of signing keys. Keys of a file do not change until the next start. Keys in the store are
 * generated, announced, activated and retired on a schedule.
 *
 * @throws ConfigError if a key is not valid or cannot be decrypted; CarnetError `storage_unavailable`
 */
export const openSigningKeySource = async (deps: SourceDependencies): Promise<SigningKeySource> =>
  deps.config.source === 'store' ? openStoredSource(deps) : openFixedSource(deps.config);
