import { createCipheriv, createDecipheriv, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SigningAlgorithm } from '../algorithm.ts';
import type { SignerSubject, WrapperSubject } from '../laws/law.ts';
import {
  type CallOptions,
  type KeyWrapper,
  type RemoteKey,
  type RemoteSigner,
  SignerUnavailableError,
  SignerUnfitError,
} from '../port.ts';

interface Version {
  readonly handle: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  isDisabled: boolean;
}

/** A service in memory with correct signers and key wrappers: mutants put one mistake around them. */
export interface MemoryService {
  /** Every version, from the oldest to the newest. */
  readonly versions: readonly Version[];
  readonly credential: string;
  /** The number of sessions that ended. */
  sessionsEnded(): number;
  /** Waits for the service. @throws SignerUnavailableError in an outage */
  answer(options: CallOptions): Promise<void>;
  openSigner(): RemoteSigner;
  openWrapper(): KeyWrapper;
  /** The subject of the laws, with signers that `open` opens. */
  subjectOf(open: () => RemoteSigner): SignerSubject;
  wrapperSubjectOf(open: () => KeyWrapper): WrapperSubject;
}

const newVersion = (alg: SigningAlgorithm, index: number): Version => {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  return { handle: `${alg}/${index}`, alg, isDisabled: false, ...pair };
};

export const signWith = ({ alg, privateKey }: Version, data: Uint8Array): Buffer =>
  sign(alg === 'EdDSA' ? null : 'sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });

export const toRemoteKey = ({ handle, alg, publicKey }: Version): RemoteKey => ({
  handle,
  alg,
  publicKey: publicKey.export({ format: 'jwk' }),
});

/** Rejects as soon as the signal is aborted. */
const orAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Whether the service answers: it may be interrupted or stalled, and its sessions end. */
const createConnection = () => {
  let isDown = false;
  let stalled: Promise<void> | undefined;
  let ended = 0;
  return {
    sessionsEnded: () => ended,
    answer: async ({ signal }: CallOptions) => {
      await orAborted(signal, stalled ?? setImmediate());
      if (isDown) throw new SignerUnavailableError('the service does not answer: start it');
    },
    faults: {
      interrupt: async () => {
        isDown = true;
        return async () => {
          isDown = false;
        };
      },
      stall: async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        stalled = promise;
        return async () => {
          stalled = undefined;
          resolve();
        };
      },
      endSessions: async () => {
        ended++;
      },
    },
  };
};

/** Lets each call pass while the instance is open. */
const createGate = () => {
  let isClosed = false;
  return {
    pass: () => {
      if (isClosed) throw new Error('closed');
    },
    close: async () => {
      isClosed = true;
    },
  };
};

type Answer = MemoryService['answer'];

const createSigner = (versions: readonly Version[], answer: Answer): RemoteSigner => {
  const { pass, close } = createGate();
  return {
    service: 'memory',
    close,
    keys: async (options) => {
      pass();
      await answer(options);
      return versions.filter(({ isDisabled }) => !isDisabled).map(toRemoteKey);
    },
    sign: async ({ handle }, data, options) => {
      pass();
      await answer(options);
      const version = versions.find((each) => each.handle === handle && !each.isDisabled);
      if (!version) throw new SignerUnfitError('the service has no such key that is enabled: enable it');
      return { signature: signWith(version, data) };
    },
  };
};

const createWrapper = (secrets: readonly Buffer[], answer: Answer): KeyWrapper => {
  const { pass, close } = createGate();
  return {
    close,
    wrap: async (secret, options) => {
      pass();
      await answer(options);
      return encrypt(secrets, secret);
    },
    unwrap: async (wrapped, options) => {
      pass();
      await answer(options);
      return decrypt(secrets, wrapped);
    },
  };
};

export const openMemoryService = (): MemoryService => {
  const versions = (['RS256', 'ES256', 'EdDSA'] as const).map((alg) => newVersion(alg, 1));
  const secrets = [randomBytes(32)];
  const { answer, sessionsEnded, faults } = createConnection();
  const credential = randomBytes(16).toString('hex');
  return {
    versions,
    credential,
    sessionsEnded,
    answer,
    openSigner: () => createSigner(versions, answer),
    openWrapper: () => createWrapper(secrets, answer),
    subjectOf: (open) => ({
      ...faults,
      credentials: [credential],
      signer: open(),
      open: async () => open(),
      rotate: async ({ alg }) => {
        versions.push(newVersion(alg, versions.length + 1));
      },
      disable: async ({ handle }) => {
        for (const version of versions) if (version.handle === handle) version.isDisabled = true;
      },
    }),
    wrapperSubjectOf: (open) => ({
      ...faults,
      credentials: [credential],
      wrapper: open(),
      open: async () => open(),
      rotate: async () => {
        secrets.push(randomBytes(32));
      },
    }),
  };
};

/** The version of the key, then AES-256-GCM: nonce, encrypted secret, tag. */
const encrypt = (secrets: readonly Buffer[], secret: Uint8Array): Buffer => {
  const version = Buffer.from([secrets.length - 1]);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secrets.at(-1) ?? '', nonce);
  return Buffer.concat([version, nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
};

const decrypt = (secrets: readonly Buffer[], wrapped: Uint8Array): Buffer => {
  const key = secrets[wrapped[0] ?? 255];
  if (!key || wrapped.length < 30) throw new SignerUnfitError('the value was not wrapped by this key');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(1, 13), { authTagLength: 16 });
    decipher.setAuthTag(wrapped.subarray(-16));
    return Buffer.concat([decipher.update(wrapped.subarray(13, -16)), decipher.final()]);
  } catch {
    throw new SignerUnfitError('the value was changed, or another key wrapped it');
  }
};
