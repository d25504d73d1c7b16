import { once } from 'node:events';
import { createSigningKeys, loadKeys, type Rotation, withStoredKeys } from '@carnet/provider/keys';
import { areManaged, type KeyConfig } from './key-config.ts';

/** A signing key with its state. */
export interface KeyState {
  readonly kid: string;
  readonly alg: string;
  /** `published`: a key in a file that verifies, but does not sign. */
  readonly state: 'announced' | 'active' | 'retired' | 'gone' | 'published';
  readonly createdAt?: Date;
  /** The time from which the key may sign. */
  readonly activeAt?: Date;
  /** The end of the state, if known. */
  readonly until?: Date;
  /** The kind of service that holds the key, and its name for the key version. */
  readonly service?: string;
  readonly handle?: string;
}

const readStored = async (rotation: Pick<Rotation, 'states'>): Promise<readonly KeyState[]> =>
  (await rotation.states()).map(({ key: { alg, kid, remote, createdAt, activeAt }, state, until }) => ({
    kid,
    alg,
    state,
    ...remote,
    createdAt: new Date(createdAt),
    activeAt: new Date(activeAt),
    ...(until !== undefined && { until: new Date(until) }),
  }));

const readFixed = ({ keys }: KeyConfig): readonly KeyState[] => {
  const { signers, signerFor } = createSigningKeys(loadKeys(keys).signers);
  return signers.map((signer) => ({
    kid: signer.kid,
    alg: signer.alg,
    state: signerFor(signer.alg) === signer ? 'active' : 'published',
  }));
};

/** The signing keys in the store, or in the file. */
export const readKeyStates = async (config: KeyConfig): Promise<readonly KeyState[]> =>
  areManaged(config) ? withStoredKeys(config, readStored) : readFixed(config);

/** Opens the store at the first call, and closes it once `signal` is aborted. After a failure, the next call opens it again. */
const keepOpen = (config: KeyConfig, signal: AbortSignal) => {
  const open = (): Promise<Rotation> => {
    const { promise, resolve, reject } = Promise.withResolvers<Rotation>();
    withStoredKeys(config, async (rotation) => {
      resolve(rotation);
      if (!signal.aborted) await once(signal, 'abort');
    }).catch(reject);
    return promise;
  };
  let opened: Promise<Rotation> | undefined;
  return (): Promise<Rotation> => {
    signal.throwIfAborted();
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
};

/**
 * Reads the signing keys of a configuration, for the console. Undefined for keys in the memory of another process.
 *
 * @param signal aborted when the console is no longer needed
 * @throws ConfigError, CarnetError `storage_unavailable`
 */
export const createSigningKeysReader = (config: KeyConfig, signal: AbortSignal) => {
  const { storage, keys } = config;
  if (areManaged(config) && (storage.keys ?? storage.default).startsWith('memory:')) return undefined;
  const { announced, active, retired } = keys;
  const opened = keepOpen(config, signal);
  return async () => ({
    source: keys.source ?? ('file' as const),
    keys: areManaged(config) ? await readStored(await opened()) : readFixed(config),
    ...(areManaged(config) && { schedule: { announced, active, retired } }),
  });
};
