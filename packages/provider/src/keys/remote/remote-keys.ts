import type { JsonWebKeyInput } from 'node:crypto';
import { type CallOptions, type RemoteSignature, type RemoteSigner, SignerUnfitError } from '@carnet/signer-contract';
import type { KeysConfig } from '../config.ts';
import type { SigningAlgorithm, SigningShare } from '../signing/signer.ts';
import { createSigningQueue, type ObserveCall, observed, type SigningQueue } from './calls.ts';
import { type ListedKey, listKeys, type RemoteReference } from './list-keys.ts';

export interface RemoteKeysDependencies {
  readonly signers: readonly RemoteSigner[];
  readonly config: Pick<KeysConfig, 'signerTimeoutMs' | 'signerConcurrency'>;
  readonly observe: ObserveCall;
}

/** The public part of a key version, as it is stored. */
export interface RemotePublicKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly publicJwk: JsonWebKeyInput['key'];
  readonly remote: RemoteReference;
}

/** Any key of the store. */
type KeptKey = Pick<RemotePublicKey, 'kid' | 'alg'> & Partial<Pick<RemotePublicKey, 'remote'>>;

interface Service {
  readonly signer: RemoteSigner;
  readonly queue: SigningQueue;
  /** By handle. Undefined until the service has answered. */
  listed?: ReadonlyMap<string, ListedKey>;
  /** Whether it answered the last `refresh`. */
  isAnswering: boolean;
}

/** Returns the error, if there is one. */
const refreshList = async (service: Service, observe: ObserveCall): Promise<readonly unknown[]> => {
  try {
    const keys = await listKeys(service.signer, observe);
    service.listed = new Map(keys.map((key) => [key.handle, key]));
    service.isAnswering = true;
    return [];
  } catch (error) {
    service.isAnswering = false;
    return [error];
  }
};

/** A signer of the application may be written without types. */
const assertSignature = (result: RemoteSignature): RemoteSignature => {
  if ((result as RemoteSignature | null)?.signature instanceof Uint8Array) return result;
  throw new Error('The service returned no signature.');
};

/** The key versions of all services, as each has listed them last. */
export const createRemoteKeys = ({ signers, config, observe }: RemoteKeysDependencies) => {
  const limits = { timeoutMs: config.signerTimeoutMs, concurrency: config.signerConcurrency };
  const services = signers.map(
    (signer): Service => ({ signer, queue: createSigningQueue(limits), isAnswering: false }),
  );
  const choices = new Map<SigningAlgorithm, string>();

  /**
   * By `kid` as well: two servers of Vault may each have a key of this handle, and a key that was deleted and created again
   * has its old one.
   */
  const serviceOf = ({ kid, remote: { service, handle } }: Pick<RemotePublicKey, 'kid' | 'remote'>) => {
    const isOf = ({ signer }: Service): boolean => signer.service === service;
    return (
      services.find((each) => isOf(each) && each.listed?.get(handle)?.kid === kid) ??
      services.find((each) => isOf(each) && each.listed === undefined)
    );
  };

  return {
    /** Lists the keys of all services. If a service fails, the keys that it listed before stay. Returns the errors. */
    refresh: async (): Promise<readonly unknown[]> =>
      (await Promise.all(services.map((service) => refreshList(service, observe)))).flat(),
    /**
     * The keys of the services that answered the last `refresh`, those of each algorithm from the oldest to the newest. A
     * list from before an outage is left out: its keys must not be stored again after an operator has removed them.
     */
    listed: (): readonly ListedKey[] =>
      services.flatMap(({ listed, isAnswering }) => (isAnswering && listed ? [...listed.values()] : [])),
    /** Whether the key is in this process, or a service lists it or has not listed its keys since the start. */
    canSign: ({ kid, remote }: KeptKey): boolean => remote === undefined || serviceOf({ kid, remote }) !== undefined,
    /**
     * Signs, with deadline and repetition. The signature is not verified yet.
     *
     * @throws SignerUnavailableError, SignerUnfitError; CarnetError `too_busy`
     */
    sign: async ({ kid, alg, publicJwk, remote }: RemotePublicKey, data: Uint8Array, share?: SigningShare) => {
      const { service, handle } = remote;
      const found = serviceOf({ kid, remote });
      if (found === undefined) {
        throw new SignerUnfitError(
          `${service} no longer lists the key ${handle}. Enable it there, or create a new version.`,
        );
      }
      const { signer, queue, listed } = found;
      const key = listed?.get(handle)?.key ?? { handle, alg, publicKey: publicJwk, kid };
      const sign = (call: CallOptions) => signer.sign(key, data, call).then(assertSignature);
      return observed({ service, operation: 'sign' }, observe, () => queue(sign, share));
    },
    /** Whether a service that chooses among its keys has chosen this one. */
    isChosen: ({ alg, kid }: KeptKey): boolean => choices.get(alg) === kid,
    choose: (alg: SigningAlgorithm, kid: string): void => void choices.set(alg, kid),
  };
};

export type RemoteKeys = ReturnType<typeof createRemoteKeys>;
