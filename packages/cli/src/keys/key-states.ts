import { createSigningKeys, loadKeys, withStoredKeys } from '@carnet/provider/keys';
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

const readStored = (config: KeyConfig): Promise<readonly KeyState[]> =>
  withStoredKeys(config, async (rotation) =>
    (await rotation.states()).map(({ key: { alg, kid, remote, createdAt, activeAt }, state, until }) => ({
      kid,
      alg,
      state,
      ...remote,
      createdAt: new Date(createdAt),
      activeAt: new Date(activeAt),
      ...(until !== undefined && { until: new Date(until) }),
    })),
  );

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
  areManaged(config) ? readStored(config) : readFixed(config);

/**
 * The signing keys of a configuration, for the console. Undefined for keys in the memory of another process.
 *
 * @throws ConfigError, CarnetError `storage_unavailable`
 */
export const createSigningKeysReader = (config: KeyConfig) => {
  const { storage, keys } = config;
  if (areManaged(config) && (storage.keys ?? storage.default).startsWith('memory:')) return undefined;
  const { announced, active, retired } = keys;
  return async () => ({
    source: keys.source ?? ('file' as const),
    keys: await readKeyStates(config),
    ...(areManaged(config) && { schedule: { announced, active, retired } }),
  });
};
