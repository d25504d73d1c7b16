import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RemoteKey,
  type RemoteSigner,
  SignerUnavailableError,
  SignerUnfitError,
  type SigningAlgorithm,
} from '@carnet/signer-contract';
import { thumbprint } from '@carnet/signer-contract/jws';
import { createLocalSigner } from '../src/keys/signing/signer.ts';

const generators: Record<SigningAlgorithm, () => { privateKey: KeyObject }> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

/** A service with real keys in this process, to be stopped, slowed, rotated, and made to sign wrongly. */
export interface SigningService {
  readonly signer: RemoteSigner;
  /** While set, every call is rejected as an outage. */
  down: boolean;
  /** While set, no call is answered before it is aborted. */
  isSilent: boolean;
  /** While set, every signature is refused, with this remedy. */
  unfit: string | undefined;
  /** While set, signatures are made with another key than the requested one. */
  signsWrongly: boolean;
  /** The number of calls to reject as an outage before the next one is carried out. */
  failures: number;
  latencyMs: number;
  /** The calls of `sign` since the start. */
  signatures: number;
  /** The most calls of `sign` at the same time. */
  mostAtOnce: number;
  /** Creates a new version. Returns its `kid`. */
  rotate(alg: SigningAlgorithm): string;
  disable(kid: string): void;
  enable(kid: string): void;
  /** From now on the service signs with this key, whichever is requested. */
  choose(kid: string): void;
}

interface Version {
  readonly key: RemoteKey;
  readonly privateKey: KeyObject;
  readonly kid: string;
  isEnabled: boolean;
}

export interface ServiceOptions {
  readonly service?: string;
  readonly algorithms?: readonly SigningAlgorithm[];
  /** Whether the service names its keys itself, as Google's IAM does. */
  readonly namesKeys?: boolean;
}

export const createSigningService = (options: ServiceOptions = {}): SigningService => {
  const { service = 'test-kms', algorithms = ['ES256'], namesKeys = false } = options;
  const versions: Version[] = [];
  let chosen: Version | undefined;
  let running = 0;

  const versionOf = (kid: string): Version => {
    const found = versions.find((version) => version.kid === kid);
    if (found === undefined) throw new Error(`no version ${kid}`);
    return found;
  };

  const pass = async (signal: AbortSignal): Promise<void> => {
    if (self.latencyMs > 0) await sleep(self.latencyMs);
    if (self.isSilent && !signal.aborted) await once(signal, 'abort');
    if (signal.aborted) throw new SignerUnavailableError('The call was aborted.');
    if (self.failures > 0) {
      self.failures -= 1;
      throw new SignerUnavailableError('The service is busy.');
    }
    if (self.down) throw new SignerUnavailableError('connect ECONNREFUSED 10.1.2.3:443');
  };

  const sign = (requested: RemoteKey, data: Uint8Array) => {
    const version = chosen ?? versions.find(({ key }) => key.handle === requested.handle);
    if (version === undefined || !version.isEnabled) throw new SignerUnfitError(`${requested.handle} is disabled.`);
    const { privateKey } = self.signsWrongly ? generators[version.key.alg]() : version;
    const signature = createLocalSigner({ privateKey }).sign(data) as Uint8Array;
    return { signature, ...(namesKeys && { kid: version.kid }) };
  };

  const self: SigningService = {
    down: false,
    isSilent: false,
    unfit: undefined,
    signsWrongly: false,
    failures: 0,
    latencyMs: 0,
    signatures: 0,
    mostAtOnce: 0,
    rotate(alg) {
      const { privateKey } = generators[alg]();
      const publicKey = createPublicKey(privateKey).export({ format: 'jwk' });
      const number = versions.length + 1;
      const kid = namesKeys ? `named-${number}` : thumbprint(publicKey);
      const key = { handle: `keys/${alg}/versions/${number}`, alg, publicKey, ...(namesKeys && { kid }) };
      versions.push({ key, privateKey, kid, isEnabled: true });
      return kid;
    },
    disable: (kid) => {
      versionOf(kid).isEnabled = false;
    },
    enable: (kid) => {
      versionOf(kid).isEnabled = true;
    },
    choose: (kid) => {
      chosen = versionOf(kid);
    },
    signer: {
      service,
      async keys({ signal }) {
        await pass(signal);
        return versions.filter(({ isEnabled }) => isEnabled).map(({ key }) => key);
      },
      async sign(requested, data, { signal }) {
        self.signatures += 1;
        running += 1;
        self.mostAtOnce = Math.max(self.mostAtOnce, running);
        try {
          await pass(signal);
          if (self.unfit !== undefined) throw new SignerUnfitError(self.unfit);
          return sign(requested, data);
        } finally {
          running -= 1;
        }
      },
      close: async () => undefined,
    },
  };
  for (const alg of algorithms) self.rotate(alg);
  return self;
};
