import { SignerUnavailableError, SignerUnfitError } from '../port.ts';
import type { WrapperMutant } from './mutant.ts';

const never = () => ({ signal: new AbortController().signal });

/** Mistakes in how the calls of a key wrapper end. */
export const wrapperCallMutants: readonly WrapperMutant[] = [
  {
    name: 'wraps-in-aborted-calls',
    breaks: 'aborted-wrapper-calls-reject',
    change: (wrapper) => ({ wrap: (secret) => wrapper.wrap(secret, never()) }),
  },
  {
    name: 'unwraps-in-aborted-calls',
    breaks: 'aborted-wrapper-calls-reject',
    change: (wrapper) => ({ unwrap: (wrapped) => wrapper.unwrap(wrapped, never()) }),
  },
  {
    name: 'reports-aborted-wraps-as-unfit',
    breaks: 'wrapper-calls-without-an-answer-are-abortable',
    change: (wrapper) => ({
      wrap: async (secret, options) => {
        options.signal.throwIfAborted();
        return wrapper.wrap(secret, options).catch((error: unknown) => {
          if (options.signal.aborted) throw new SignerUnfitError('the call failed');
          throw error;
        });
      },
    }),
  },
  {
    name: 'wrapper-works-after-close',
    breaks: 'closed-wrappers-reject',
    change: () => ({ close: async () => undefined }),
  },
  {
    name: 'wrapper-outages-are-unfit',
    breaks: 'wrapper-outages-are-unavailable-and-end',
    change: (wrapper) => ({
      unwrap: (wrapped, options) =>
        wrapper.unwrap(wrapped, options).catch((error: unknown) => {
          throw error instanceof SignerUnavailableError ? new SignerUnfitError('the call failed') : error;
        }),
    }),
  },
  {
    name: 'wrapper-fails-once-after-its-session-ended',
    breaks: 'ended-wrapper-sessions-are-renewed',
    change: (wrapper, { sessionsEnded }) => {
      let session = sessionsEnded();
      return {
        unwrap: async (wrapped, options) => {
          if (session !== sessionsEnded()) {
            session = sessionsEnded();
            throw new SignerUnavailableError('the session ended');
          }
          return wrapper.unwrap(wrapped, options);
        },
      };
    },
  },
  {
    name: 'wrapper-errors-quote-the-secret',
    breaks: 'wrapper-errors-keep-secrets',
    change: (wrapper) => ({
      wrap: (secret, options) =>
        wrapper.wrap(secret, options).catch((error: unknown) => {
          if (!(error instanceof SignerUnavailableError)) throw error;
          throw new SignerUnavailableError(error.message, { cause: { plaintext: secret } });
        }),
    }),
  },
];
