import { calm } from '../laws/assert.ts';
import { type KeyWrapper, SignerUnfitError } from '../port.ts';
import { openMemoryService } from './memory-service.ts';
import { mutantsOf, throwUnavailable } from './mutant.ts';

/** Mistakes in what a key wrapper does with a secret. */
export const wrapperMutants = mutantsOf<KeyWrapper>({
  'secrets-come-back': {
    'wraps-32-bytes-at-most': (wrapper) => ({
      wrap: (secret, options) => wrapper.wrap(secret.subarray(0, 32), options),
    }),
    'takes-secrets-as-text': (wrapper) => ({
      wrap: (secret, options) => wrapper.wrap(Buffer.from(Buffer.from(secret).toString('utf8')), options),
    }),
  },
  'wrapped-secrets-are-hidden': {
    'adds-the-secret-as-base64': (wrapper) => ({
      wrap: async (secret, options) => {
        const clear = Buffer.from(Buffer.from(secret).toString('base64'));
        return Buffer.concat([await wrapper.wrap(secret, options), clear]);
      },
    }),
  },
  'wrapping-twice-differs': {
    'wraps-the-same-way-twice': (wrapper) => {
      const wrapped = new Map<string, Promise<Uint8Array>>();
      return {
        wrap: (secret, options) => {
          const id = Buffer.from(secret).toString('hex');
          const known = wrapped.get(id) ?? wrapper.wrap(secret, options);
          wrapped.set(id, known);
          return known;
        },
      };
    },
  },
  'changed-bytes-are-refused': {
    'adds-an-unchecked-byte': (wrapper) => ({
      wrap: async (secret, options) => Buffer.concat([Buffer.from([7]), await wrapper.wrap(secret, options)]),
      unwrap: (wrapped, options) => wrapper.unwrap(wrapped.subarray(1), options),
    }),
    'changed-bytes-are-an-outage': (wrapper) => ({
      unwrap: (...call) => wrapper.unwrap(...call).catch(throwUnavailable),
    }),
  },
  'other-lengths-are-refused': {
    'ignores-bytes-at-the-end': (wrapper) => {
      const lengths = new Set<number>();
      return {
        wrap: async (secret, options) => {
          const wrapped = await wrapper.wrap(secret, options);
          lengths.add(wrapped.length);
          return wrapped;
        },
        unwrap: (wrapped, options) =>
          wrapper.unwrap(lengths.has(wrapped.length - 1) ? wrapped.subarray(0, -1) : wrapped, options),
      };
    },
  },
  'other-instances-unwrap': {
    'wraps-with-a-key-of-the-instance': () => {
      const { wrap, unwrap } = openMemoryService().openWrapper();
      return { wrap, unwrap };
    },
  },
  'old-values-unwrap-after-rotation': {
    'unwraps-with-the-newest-key-only': (wrapper) => {
      const versionOf = async () => (await wrapper.wrap(Buffer.alloc(1), calm()))[0];
      return {
        unwrap: async (wrapped, options) => {
          const secret = await wrapper.unwrap(wrapped, options);
          if (wrapped[0] !== (await versionOf())) throw new SignerUnfitError('another version wrapped the value');
          return secret;
        },
      };
    },
  },
  'round-trips-at-once': {
    'one-secret-for-all-calls': (wrapper) => {
      let secret: Uint8Array = Buffer.alloc(0);
      return {
        wrap: async (given, options) => {
          secret = given;
          await new Promise((resolve) => setImmediate(resolve));
          return wrapper.wrap(secret, options);
        },
      };
    },
  },
});
