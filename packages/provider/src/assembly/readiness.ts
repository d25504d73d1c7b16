import { createSingleFlight } from '@carnet/adapter-contract/kit';
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
  readonly err: unknown;
  readonly brief: string;
  readonly remedy: string;
}

const silent = 'The store does not answer.';
const unfit = 'The store is not fit for use. The admin listener and the log say what to do.';
const refusing = 'The store answers, but refuses to write.';
const refusingRemedy = `${refusing} The log has its error. Check whether its disk or memory is full.`;
const notSigning = 'The signing service does not sign.';
const noAccounts = 'The accounts database does not answer.';

const problemOfStore = (err: unknown): Problem => {
  const remedy = remedyIn(err);
  return remedy === undefined ? { err, brief: silent, remedy: silent } : { err, brief: unfit, remedy };
};

/** However many ask at once, each part is asked once. */
export const createReadiness = (
  { adapter, commitHealth, signingKeys, logger }: Foundation,
  accounts: ConfiguredAccounts | undefined,
): Readiness => {
  const checks: Readonly<Record<string, () => Promise<Problem | undefined>>> = {
    storage: () =>
      adapter.ping().then(() => {
        const err = commitHealth.failure();
        return err === undefined ? undefined : { err, brief: refusing, remedy: refusingRemedy };
      }, problemOfStore),
    // The message names the database, the problem and the remedy, and holds no credentials.
    accounts: async () =>
      accounts?.check().then(
        () => undefined,
        (err: Error) => ({ err, brief: noAccounts, remedy: err.message }),
      ),
    signer: async () => {
      const err = await signingKeys.problem();
      if (err === undefined) return undefined;
      const brief = `${notSigning} The admin listener and the log say why.`;
      // The message of a signer says what to do, and holds no secret.
      return { err, brief, remedy: `${notSigning} ${remedyOf(err)}` };
    },
  };
  const check = createSingleFlight(async (part) => {
    const problem = await checks[part]?.();
    if (problem !== undefined) logger.warn({ err: problem.err }, 'not ready');
    return problem;
  });
  const answer = async (text: 'brief' | 'remedy'): ReturnType<Ready> => {
    const parts = Object.keys(checks);
    const problems = await Promise.all(parts.map(check.running));
    return Object.fromEntries(parts.flatMap((part, at) => (problems[at] ? [[part, problems[at][text]]] : [])));
  };
  return { admin: () => answer('remedy'), public: () => answer('brief') };
};
