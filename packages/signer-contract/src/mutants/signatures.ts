import { constants, createHash, sign } from 'node:crypto';
import { ecdsaToDer } from '../ecdsa-signature.ts';
import { type RemoteSignature, SignerUnavailableError, SignerUnfitError } from '../port.ts';
import { signWith } from './memory-service.ts';
import type { SignerMutant } from './mutant.ts';

/** A signer that signs something else than the data. */
const signing = (name: string, breaks: string, change: (data: Uint8Array) => Uint8Array): SignerMutant => ({
  name,
  breaks,
  change: (signer) => ({ sign: (key, data, options) => signer.sign(key, change(data), options) }),
});

/** Mistakes in what is signed, and how. */
export const signatureMutants: readonly SignerMutant[] = [
  {
    name: 'es256-as-der',
    breaks: 'listed-keys-sign',
    change: (signer) => ({
      sign: async (key, data, options) => {
        const { signature } = await signer.sign(key, data, options);
        return { signature: key.alg === 'ES256' ? (ecdsaToDer(signature) ?? signature) : signature };
      },
    }),
  },
  {
    name: 'rs256-as-pss',
    breaks: 'listed-keys-sign',
    change: (signer, { versions }) => ({
      sign: async (key, data, options) => {
        const result = await signer.sign(key, data, options);
        const rsa = versions.find(({ handle, alg }) => handle === key.handle && alg === 'RS256');
        if (!rsa) return result;
        return { signature: sign('sha256', data, { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }) };
      },
    }),
  },
  signing('drops-the-first-byte-of-short-data', 'signs-short-data', (data) =>
    data.length < 2 ? Buffer.alloc(0) : data,
  ),
  signing('signs-4096-bytes-at-most', 'signs-long-data', (data) => data.subarray(0, 4_096)),
  signing('hashes-long-data-twice', 'signs-long-data', (data) =>
    data.length > 4_096 ? createHash('sha256').update(data).digest() : data,
  ),
  signing('takes-data-as-text', 'signs-all-byte-values', (data) => Buffer.from(Buffer.from(data).toString('utf8'))),
  signing('signs-up-to-a-zero-byte', 'signs-all-byte-values', (data) => {
    const end = data.indexOf(0);
    return end < 1 || data.length > 256 ? data : data.subarray(0, end);
  }),
  signing('signs-the-whole-buffer', 'signs-a-part-of-a-buffer', (data) =>
    data.length === 32 ? new Uint8Array(data.buffer) : data,
  ),
  {
    name: 'one-operation-for-all-calls',
    breaks: 'a-hundred-signatures-at-once',
    change: (signer) => {
      let data: Uint8Array = Buffer.alloc(0);
      return {
        sign: async (key, given, options) => {
          data = given;
          await new Promise((resolve) => setImmediate(resolve));
          return signer.sign(key, data, options);
        },
      };
    },
  },
  {
    name: 'one-buffer-for-all-signatures',
    breaks: 'a-hundred-signatures-at-once',
    change: (signer) => {
      const buffer = Buffer.alloc(256);
      return {
        sign: async (key, data, options): Promise<RemoteSignature> => {
          const { signature } = await signer.sign(key, data, options);
          buffer.set(signature);
          return { signature: buffer.subarray(0, signature.length) };
        },
      };
    },
  },
  {
    name: 'signs-with-the-newest-version',
    breaks: 'older-versions-sign',
    change: (signer) => ({
      sign: async (key, data, options) => {
        const newest = (await signer.keys(options)).findLast(({ alg }) => alg === key.alg);
        return signer.sign(newest ?? key, data, options);
      },
    }),
  },
  {
    name: 'lists-the-newest-first',
    breaks: 'new-versions-are-listed-last',
    change: (signer) => ({ keys: async (options) => (await signer.keys(options)).toReversed() }),
  },
  {
    name: 'lists-the-newest-version-only',
    breaks: 'new-versions-are-listed-last',
    change: (signer) => ({
      keys: async (options) => {
        const keys = await signer.keys(options);
        return keys.filter((key) => key === keys.findLast(({ alg }) => alg === key.alg));
      },
    }),
  },
  {
    name: 'signs-for-unknown-keys',
    breaks: 'unknown-keys-are-unfit',
    change: (signer, { versions }) => ({
      sign: async (key, data, options) => {
        const isKnown = versions.some(({ handle }) => handle === key.handle);
        const [first] = versions.filter(({ alg }) => alg === key.alg);
        return isKnown || !first ? signer.sign(key, data, options) : { signature: signWith(first, data) };
      },
    }),
  },
  {
    name: 'unknown-keys-are-an-outage',
    breaks: 'unknown-keys-are-unfit',
    change: (signer) => ({
      sign: (key, data, options) =>
        signer.sign(key, data, options).catch((error: unknown) => {
          throw error instanceof SignerUnfitError ? new SignerUnavailableError('the call failed') : error;
        }),
    }),
  },
];
