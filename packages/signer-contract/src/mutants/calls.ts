import { type CallOptions, SignerUnavailableError, SignerUnfitError } from '../port.ts';
import type { SignerMutant } from './mutant.ts';

const never = (): CallOptions => ({ signal: new AbortController().signal });

/** Mistakes in how calls end. */
export const callMutants: readonly SignerMutant[] = [
  {
    name: 'signs-in-aborted-calls',
    breaks: 'aborted-calls-reject',
    change: (signer) => ({ sign: (key, data) => signer.sign(key, data, never()) }),
  },
  {
    name: 'lists-in-aborted-calls',
    breaks: 'aborted-calls-reject',
    change: (signer) => ({ keys: () => signer.keys(never()) }),
  },
  {
    name: 'cannot-be-used-after-an-aborted-call',
    breaks: 'aborted-calls-reject',
    change: (signer) => {
      let isBroken = false;
      return {
        sign: async (key, data, options) => {
          if (options.signal.aborted) isBroken = true;
          if (isBroken) throw new SignerUnavailableError('the session has an operation');
          return signer.sign(key, data, options);
        },
      };
    },
  },
  {
    name: 'reports-aborted-calls-as-unfit',
    breaks: 'calls-without-an-answer-are-abortable',
    change: (signer) => ({
      sign: async (key, data, options) => {
        options.signal.throwIfAborted();
        return signer.sign(key, data, options).catch((error: unknown) => {
          if (options.signal.aborted) throw new SignerUnfitError('the call failed');
          throw error;
        });
      },
    }),
  },
  {
    name: 'works-after-close',
    breaks: 'closed-signers-reject',
    change: () => ({ close: async () => undefined }),
  },
  {
    name: 'closes-once-only',
    breaks: 'closed-signers-reject',
    change: (signer) => {
      let isClosed = false;
      return {
        close: async () => {
          if (isClosed) throw new Error('closed');
          isClosed = true;
          await signer.close();
        },
      };
    },
  },
  {
    name: 'closes-all-signers-of-the-process',
    breaks: 'closing-one-signer-leaves-the-others',
    change: (signer, service) => {
      const open = openSigners.get(service) ?? new Set();
      openSigners.set(service, open.add(signer));
      return {
        close: async () => {
          for (const each of open) await each.close();
        },
      };
    },
  },
  {
    name: 'outages-are-unfit',
    breaks: 'outages-are-unavailable-and-end',
    change: (signer) => ({
      sign: (key, data, options) =>
        signer.sign(key, data, options).catch((error: unknown) => {
          throw error instanceof SignerUnavailableError ? new SignerUnfitError('the call failed') : error;
        }),
    }),
  },
  {
    name: 'lists-from-memory-in-an-outage',
    breaks: 'outages-are-unavailable-and-end',
    change: (signer) => {
      let known: Awaited<ReturnType<typeof signer.keys>> = [];
      return {
        keys: async (options) => {
          known = await signer.keys(options).catch((error: unknown) => {
            if (known.length > 0 && error instanceof SignerUnavailableError) return known;
            throw error;
          });
          return known;
        },
      };
    },
  },
  {
    name: 'stays-down-after-an-outage',
    breaks: 'outages-are-unavailable-and-end',
    change: (signer) => {
      let outage: unknown;
      return {
        sign: async (key, data, options) => {
          if (outage) throw outage;
          return signer.sign(key, data, options).catch((error: unknown) => {
            if (error instanceof SignerUnavailableError) outage = error;
            throw error;
          });
        },
      };
    },
  },
  {
    name: 'fails-once-after-its-session-ended',
    breaks: 'ended-sessions-are-renewed',
    change: (signer, { sessionsEnded }) => {
      let session = sessionsEnded();
      return {
        sign: async (key, data, options) => {
          if (session !== sessionsEnded()) {
            session = sessionsEnded();
            throw new SignerUnavailableError('the session ended');
          }
          return signer.sign(key, data, options);
        },
      };
    },
  },
  {
    name: 'errors-quote-the-data',
    breaks: 'errors-keep-secrets',
    change: (signer) => ({
      sign: (key, data, options) =>
        signer.sign(key, data, options).catch((cause: unknown) => {
          if (!(cause instanceof SignerUnfitError)) throw cause;
          throw new SignerUnfitError(`could not sign ${Buffer.from(data).toString('base64')}`, { cause });
        }),
    }),
  },
  {
    name: 'causes-hold-the-credential',
    breaks: 'errors-keep-secrets',
    change: (signer, { credential }) => ({
      sign: (key, data, options) =>
        signer.sign(key, data, options).catch((error: unknown) => {
          const cause = Object.assign(new Error('401'), {
            request: { headers: { authorization: `Bearer ${credential}` } },
          });
          throw error instanceof SignerUnavailableError ? new SignerUnavailableError(error.message, { cause }) : error;
        }),
    }),
  },
];

const openSigners = new WeakMap<object, Set<{ close(): Promise<void> }>>();
