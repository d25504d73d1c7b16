import { calm } from '../laws/assert.ts';
import { type KeyWrapper, SignerUnavailableError } from '../port.ts';
import { createStaleSession, mutantsOf, reportAsUnfit, throwUnfit } from './mutant.ts';

/** Mistakes in how the calls of a key wrapper end. */
export const wrapperCallMutants = mutantsOf<KeyWrapper>({
  'aborted-wrapper-calls-reject': {
    'wraps-in-aborted-calls': (wrapper) => ({ wrap: (secret) => wrapper.wrap(secret, calm()) }),
    'unwraps-in-aborted-calls': (wrapper) => ({ unwrap: (wrapped) => wrapper.unwrap(wrapped, calm()) }),
  },
  'wrapper-calls-without-an-answer-are-abortable': {
    'reports-aborted-wraps-as-unfit': (wrapper) => ({
      wrap: (secret, options) => reportAsUnfit(options.signal, () => wrapper.wrap(secret, options)),
    }),
  },
  'closed-wrappers-reject': {
    'wrapper-works-after-close': () => ({ close: async () => undefined }),
  },
  'wrapper-outages-are-unavailable-and-end': {
    'wrapper-outages-are-unfit': (wrapper) => ({ unwrap: (...call) => wrapper.unwrap(...call).catch(throwUnfit) }),
  },
  'ended-wrapper-sessions-are-renewed': {
    'wrapper-fails-once-after-its-session-ended': (wrapper, service) => {
      const failOnce = createStaleSession(service);
      return {
        unwrap: async (...call) => {
          failOnce();
          return wrapper.unwrap(...call);
        },
      };
    },
  },
  'wrapper-errors-keep-secrets': {
    'wrapper-errors-quote-the-secret': (wrapper) => ({
      wrap: (secret, options) =>
        wrapper.wrap(secret, options).catch((error: unknown) => {
          if (!(error instanceof SignerUnavailableError)) throw error;
          throw new SignerUnavailableError(error.message, { cause: { plaintext: secret } });
        }),
    }),
  },
});
