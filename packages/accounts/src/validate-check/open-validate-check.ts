import { notSupported } from '../accounts-error.ts';
import { guessPassword } from '../attempts/guess-password.ts';
import { createLoginAttempts, type LoginAttempts } from '../attempts/login-attempts.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import { type Account, type Authentication, type Directories, DirectoryError } from '../directory/index.ts';
import type { AccountsOptions } from '../options.ts';
import type { AttemptStore, SecondFactors } from '../second-factors/index.ts';
import { isBarred } from '../sign-in/sign-in-machine.ts';
import type { PassOperations } from './check-pass.ts';
import { createValidateCheck, type ValidateCheck } from './validate-check.ts';

interface Parts {
  readonly deletions: Deletions;
  readonly options: Pick<AccountsOptions, 'validateCheck' | 'attempts'>;
  readonly dependencies: Pick<AccountsDependencies, 'now' | 'logger'>;
  readonly directories: Pick<Directories, 'find' | 'authenticate' | 'lookupKey'>;
  /** Undefined without an accounts database. */
  readonly factors: SecondFactors | undefined;
  readonly attempts: AttemptStore;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

interface Operating {
  readonly deletions: Deletions;
  readonly directories: Pick<Directories, 'find' | 'authenticate' | 'lookupKey'>;
  readonly factors: SecondFactors;
  /** The counts of wrong passwords, apart from those of the pages: neither locks a user out of the other. */
  readonly attempts: LoginAttempts;
  readonly logger: AccountsDependencies['logger'];
}

/** The answer of `ask`; undefined if two users have the login name. That is a fault of the directory: neither can sign in. */
const unlessAmbiguous = async <Value>(
  logger: AccountsDependencies['logger'],
  ask: () => Promise<Value | undefined>,
): Promise<Value | undefined> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'ambiguous') throw error;
    logger.warn({ directory: error.directory }, error.message);
    return undefined;
  }
};

const allowed = (account: Account | undefined): string | undefined =>
  account === undefined || isBarred(account) ? undefined : account.subject;

/** Undefined for a user who is to be deleted: only a sign-in on the pages can keep the account. */
const unlessDeleted = async (deletions: Deletions, subject: string | undefined): Promise<string | undefined> =>
  subject !== undefined && (await deletions.of(subject)) === undefined ? subject : undefined;

const operationsOf = ({ deletions, directories, factors, attempts, logger }: Operating): PassOperations => ({
  factors,
  find: async (login) =>
    unlessDeleted(deletions, allowed(await unlessAmbiguous(logger, () => directories.find(login)))),
  async checkPassword(login, password) {
    // No limit by address: the address is that of the plug-in, not that of the user.
    const check = async (mayCheck: (subject: string) => Promise<boolean>): Promise<Authentication> =>
      (await unlessAmbiguous(logger, () => directories.authenticate(login, password, mayCheck))) ?? {
        accepted: false,
        reason: 'unknown_user',
      };
    const result = await guessPassword({ attempts }, { key: directories.lookupKey(login) }, check);
    const isAccepted = 'accepted' in result && result.accepted;
    return unlessDeleted(deletions, isAccepted ? result.account.subject : undefined);
  },
});

/**
 * `/validate/check` on the directories and second factors of the accounts; undefined if it is off.
 *
 * @throws AccountsError `not_supported` without an accounts database
 */
export const openValidateCheck = (parts: Parts): ValidateCheck | undefined => {
  const { options, dependencies, directories, deletions, factors, emit } = parts;
  if (!options.validateCheck.enabled) return undefined;
  if (factors === undefined) throw notSupported('/validate/check', 'Set accounts.database.');
  const { now, logger } = dependencies;
  const attempts = createLoginAttempts(parts.attempts, options.attempts, now, 'validate-check');
  const operations = operationsOf({ deletions, directories, factors, attempts, logger });
  return createValidateCheck({ ...options.validateCheck, ...operations, now, emit });
};
