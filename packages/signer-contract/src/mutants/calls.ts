import { calm } from '../laws/assert.ts';
import { type RemoteKey, type RemoteSigner, SignerUnavailableError, SignerUnfitError } from '../port.ts';
import { createStaleSession, mutantsOf, reportAsUnfit, throwUnfit } from './mutant.ts';

const openSigners = new WeakMap<object, Set<{ close(): Promise<void> }>>();

/** Mistakes in how calls end. */
export const callMutants = mutantsOf<RemoteSigner>({
  'aborted-calls-reject': {
    'signs-in-aborted-calls': (signer) => ({ sign: (key, data) => signer.sign(key, data, calm()) }),
    'lists-in-aborted-calls': (signer) => ({ keys: () => signer.keys(calm()) }),
    'cannot-be-used-after-an-aborted-call': (signer) => {
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
  'calls-without-an-answer-are-abortable': {
    'reports-aborted-calls-as-unfit': (signer) => ({
      sign: (key, data, options) => reportAsUnfit(options.signal, () => signer.sign(key, data, options)),
    }),
  },
  'closed-signers-reject': {
    'works-after-close': () => ({ close: async () => undefined }),
    'closes-once-only': (signer) => {
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
  'closing-one-signer-leaves-the-others': {
    'closes-all-signers-of-the-process': (signer, service) => {
      const open = openSigners.get(service) ?? new Set();
      openSigners.set(service, open.add(signer));
      return {
        close: async () => {
          for (const each of open) await each.close();
        },
      };
    },
  },
  'outages-are-unavailable-and-end': {
    'outages-are-unfit': (signer) => ({ sign: (...call) => signer.sign(...call).catch(throwUnfit) }),
    'lists-from-memory-in-an-outage': (signer) => {
      let known: readonly RemoteKey[] = [];
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
    'stays-down-after-an-outage': (signer) => {
      let outage: unknown;
      return {
        sign: async (...call) => {
          if (outage) throw outage;
          return signer.sign(...call).catch((error: unknown) => {
            if (error instanceof SignerUnavailableError) outage = error;
            throw error;
          });
        },
      };
    },
  },
  'ended-sessions-are-renewed': {
    'fails-once-after-its-session-ended': (signer, service) => {
      const failOnce = createStaleSession(service);
      return {
        sign: async (...call) => {
          failOnce();
          return signer.sign(...call);
        },
      };
    },
  },
  'errors-keep-secrets': {
    'errors-quote-the-data': (signer) => ({
      sign: (key, data, options) =>
        signer.sign(key, data, options).catch((cause: unknown) => {
          if (!(cause instanceof SignerUnfitError)) throw cause;
          throw new SignerUnfitError(`could not sign ${Buffer.from(data).toString('base64')}`, { cause });
        }),
    }),
    'causes-hold-the-credential': (signer, { credential }) => ({
      sign: (...call) =>
        signer.sign(...call).catch((error: unknown) => {
          const cause = Object.assign(new Error('401'), {
            request: { headers: { authorization: `Bearer ${credential}` } },
          });
          throw error instanceof SignerUnavailableError ? new SignerUnavailableError(error.message, { cause }) : error;
        }),
    }),
  },
});
