import { createSingleFlight } from '../concurrency/single-flight.ts';
import { remedyOf } from '../keys/remote/signer-errors.ts';
import { remedyIn } from '../storage/guard.ts';
import type { ConfiguredAccounts } from './accounts.ts';
import type { Foundation } from './foundation.ts';

type Ready = () => Promise<Readonly<Record<string, string>>>;

/** The parts that are not ready, by name. Empty if all are ready. */
export interface Readiness {
  /** Says what to do about it, which may name files and settings. */
  readonly admin: Ready;
  readonly public: Ready;
}

interface Problem {
  readonly brief: string;
  readonly remedy: string;
}

const silent = 'The store does not answer.';
const unfit = 'The store is not fit for use. The admin listener and the log say what to do.';
const refusing = 'The store answers, but refuses to write.';
const refusingRemedy = `${refusing} The log has its error. Check whether its disk or memory is full.`;

const problemIn = (err: unknown): Problem => {
  const remedy = remedyIn(err);
  return remedy === undefined ? { brief: silent, remedy: silent } : { brief: unfit, remedy };
};

const notSigning = 'The signing service does not sign. The admin listener and the log say why.';

const noAccounts = 'The accounts database does not answer.';

/** However many ask at once, the store is asked once. */
export const createReadiness = (
  { adapter, commitHealth, signingKeys, logger }: Foundation,
  accounts: ConfiguredAccounts | undefined,
): Readiness => {
  const look = createSingleFlight(async (): Promise<Problem | undefined> => {
    try {
      await adapter.ping();
    } catch (err) {
      logger.warn({ err }, 'not ready');
      return problemIn(err);
    }
    const err = commitHealth.failure();
    if (err === undefined) return undefined;
    logger.warn({ err }, 'not ready');
    return { brief: refusing, remedy: refusingRemedy };
  });
  const lookAtAccounts = createSingleFlight(async (): Promise<Problem | undefined> => {
    try {
      await accounts?.check();
      return undefined;
    } catch (err) {
      logger.warn({ err }, 'not ready');
      // The message names the database, the problem and the remedy, and holds no credentials.
      return { brief: noAccounts, remedy: (err as Error).message };
    }
  });
  const lookAtSigner = createSingleFlight(async (): Promise<Problem | undefined> => {
    const err = await signingKeys.problem();
    if (err === undefined) return undefined;
    logger.warn({ err }, 'not ready');
    // The message of a signer says what to do, and holds no secret.
    return { brief: notSigning, remedy: `The signing service does not sign. ${remedyOf(err)}` };
  });
  const answer = async (text: keyof Problem): ReturnType<Ready> => {
    const [storage, users, signer] = await Promise.all([
      look.running('storage'),
      lookAtAccounts.running('accounts'),
      lookAtSigner.running('signer'),
    ]);
    return {
      ...(storage !== undefined && { storage: storage[text] }),
      ...(users !== undefined && { accounts: users[text] }),
      ...(signer !== undefined && { signer: signer[text] }),
    };
  };
  return { admin: () => answer('remedy'), public: () => answer('brief') };
};
