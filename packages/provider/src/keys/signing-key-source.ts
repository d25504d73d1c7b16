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

/** Processes do not poll together: up to a quarter is added at random. */
const jitter = 0.25;
/** For clocks that differ, and for a poll to be answered. */
const slackSeconds = clockSkewSeconds + 15;

/** Where the signing keys come from, now and later. */
export interface SigningKeySource {
  /** The keys of this moment. */
  current(): SigningKeys;
  /** Called whenever other keys sign or are published. */
  onChange(listener: (keys: SigningKeys) => void): void;
  /** The keys in the store, where they are kept there. */
  readonly stored?: {
    readonly rotation: Rotation;
    /** Looks at the store now, and not at the next poll. */
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

/** For each algorithm the one that signs stands first. */
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
      // A process whose clock is behind signs with a key after others have retired it.
      retiredSeconds: config.retired + clockSkewSeconds,
    },
    algorithms: config.algorithms,
    // When the slowest process has seen it, and the copies of the keys that this one had published have expired.
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
    // Last: what a listener could not do is tried again at the next poll.
    current = next;
    report({ published: next.signers.map(({ kid }) => kid) });
  };
  /** At the next poll, or before it at the moment in which another key's time comes. */
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
      // What is known stays in use: a store that does not answer takes no key away.
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
 * The signing keys as they are configured: from a file, and then the same until the next start, or in the store, where
 * they are made, announced, used and retired on their schedule.
 *
 * @throws ConfigError when a key can't be used or does not open; CarnetError `storage_unavailable`.
 */
export const openSigningKeySource = async (deps: SourceDependencies): Promise<SigningKeySource> =>
  deps.config.source === 'store' ? openStoredSource(deps) : openFixedSource(deps.config);
