import { SignerUnavailableError, SignerUnfitError } from '../port.ts';
import { openMemoryService } from './memory-service.ts';
import type { WrapperMutant } from './mutant.ts';

const unchanged = new AbortController().signal;

/** Mistakes in what a key wrapper does with a secret. */
export const wrapperMutants: readonly WrapperMutant[] = [
  {
    name: 'wraps-32-bytes-at-most',
    breaks: 'secrets-come-back',
    change: (wrapper) => ({ wrap: (secret, options) => wrapper.wrap(secret.subarray(0, 32), options) }),
  },
  {
    name: 'takes-secrets-as-text',
    breaks: 'secrets-come-back',
    change: (wrapper) => ({
      wrap: (secret, options) => wrapper.wrap(Buffer.from(Buffer.from(secret).toString('utf8')), options),
    }),
  },
  {
    name: 'adds-the-secret-as-base64',
    breaks: 'wrapped-secrets-are-hidden',
    change: (wrapper) => ({
      wrap: async (secret, options) => {
        const clear = Buffer.from(Buffer.from(secret).toString('base64'));
        return Buffer.concat([await wrapper.wrap(secret, options), clear]);
      },
    }),
  },
  {
    name: 'wraps-the-same-way-twice',
    breaks: 'wrapping-twice-differs',
    change: (wrapper) => {
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
  {
    name: 'adds-an-unchecked-byte',
    breaks: 'changed-bytes-are-refused',
    change: (wrapper) => ({
      wrap: async (secret, options) => Buffer.concat([Buffer.from([7]), await wrapper.wrap(secret, options)]),
      unwrap: (wrapped, options) => wrapper.unwrap(wrapped.subarray(1), options),
    }),
  },
  {
    name: 'changed-bytes-are-an-outage',
    breaks: 'changed-bytes-are-refused',
    change: (wrapper) => ({
      unwrap: (wrapped, options) =>
        wrapper.unwrap(wrapped, options).catch((error: unknown) => {
          throw error instanceof SignerUnfitError ? new SignerUnavailableError('the call failed') : error;
        }),
    }),
  },
  {
    name: 'ignores-bytes-at-the-end',
    breaks: 'other-lengths-are-refused',
    change: (wrapper) => {
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
  {
    name: 'wraps-with-a-key-of-the-instance',
    breaks: 'other-instances-unwrap',
    change: () => {
      const { wrap, unwrap } = openMemoryService().openWrapper();
      return { wrap, unwrap };
    },
  },
  {
    name: 'unwraps-with-the-newest-key-only',
    breaks: 'old-values-unwrap-after-rotation',
    change: (wrapper) => {
      const versionOf = async () => (await wrapper.wrap(Buffer.alloc(1), { signal: unchanged }))[0];
      return {
        unwrap: async (wrapped, options) => {
          const secret = await wrapper.unwrap(wrapped, options);
          if (wrapped[0] !== (await versionOf())) throw new SignerUnfitError('another version wrapped the value');
          return secret;
        },
      };
    },
  },
  {
    name: 'one-secret-for-all-calls',
    breaks: 'round-trips-at-once',
    change: (wrapper) => {
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
];
