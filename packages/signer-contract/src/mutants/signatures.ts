import { constants, createHash, sign } from 'node:crypto';
import { ecdsaToDer } from '../ecdsa-signature.ts';
import type { RemoteSignature, RemoteSigner } from '../port.ts';
import { signWith } from './memory-service.ts';
import { mutantsOf, type SignerMutant, throwUnavailable } from './mutant.ts';

/** A signer that signs something else than the data. */
const signing =
  (change: (data: Uint8Array) => Uint8Array): SignerMutant['change'] =>
  (signer) => ({ sign: (key, data, options) => signer.sign(key, change(data), options) });

/** Mistakes in what is signed, and how. */
export const signatureMutants = mutantsOf<RemoteSigner>({
  'listed-keys-sign': {
    'es256-as-der': (signer) => ({
      sign: async (key, data, options) => {
        const { signature } = await signer.sign(key, data, options);
        return { signature: key.alg === 'ES256' ? (ecdsaToDer(signature) ?? signature) : signature };
      },
    }),
    'rs256-as-pss': (signer, { versions }) => ({
      sign: async (key, data, options) => {
        const result = await signer.sign(key, data, options);
        const rsa = versions.find(({ handle, alg }) => handle === key.handle && alg === 'RS256');
        if (!rsa) return result;
        return { signature: sign('sha256', data, { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }) };
      },
    }),
  },
  'signs-short-data': {
    'drops-the-first-byte-of-short-data': signing((data) => (data.length < 2 ? Buffer.alloc(0) : data)),
  },
  'signs-long-data': {
    'signs-4096-bytes-at-most': signing((data) => data.subarray(0, 4_096)),
    'hashes-long-data-twice': signing((data) =>
      data.length > 4_096 ? createHash('sha256').update(data).digest() : data,
    ),
  },
  'signs-all-byte-values': {
    'takes-data-as-text': signing((data) => Buffer.from(Buffer.from(data).toString('utf8'))),
    'signs-up-to-a-zero-byte': signing((data) => {
      const end = data.indexOf(0);
      return end < 1 || data.length > 256 ? data : data.subarray(0, end);
    }),
  },
  'signs-a-part-of-a-buffer': {
    'signs-the-whole-buffer': signing((data) => (data.length === 32 ? new Uint8Array(data.buffer) : data)),
  },
  'a-hundred-signatures-at-once': {
    'one-operation-for-all-calls': (signer) => {
      let data: Uint8Array = Buffer.alloc(0);
      return {
        sign: async (key, given, options) => {
          data = given;
          await new Promise((resolve) => setImmediate(resolve));
          return signer.sign(key, data, options);
        },
      };
    },
    'one-buffer-for-all-signatures': (signer) => {
      const buffer = Buffer.alloc(256);
      return {
        sign: async (...call): Promise<RemoteSignature> => {
          const { signature } = await signer.sign(...call);
          buffer.set(signature);
          return { signature: buffer.subarray(0, signature.length) };
        },
      };
    },
  },
  'older-versions-sign': {
    'signs-with-the-newest-version': (signer) => ({
      sign: async (key, data, options) => {
        const newest = (await signer.keys(options)).findLast(({ alg }) => alg === key.alg);
        return signer.sign(newest ?? key, data, options);
      },
    }),
  },
  'unknown-keys-are-unfit': {
    'signs-for-unknown-keys': (signer, { versions }) => ({
      sign: async (key, data, options) => {
        const isKnown = versions.some(({ handle }) => handle === key.handle);
        const [first] = versions.filter(({ alg }) => alg === key.alg);
        return isKnown || !first ? signer.sign(key, data, options) : { signature: signWith(first, data) };
      },
    }),
    'unknown-keys-are-an-outage': (signer) => ({ sign: (...call) => signer.sign(...call).catch(throwUnavailable) }),
  },
});
