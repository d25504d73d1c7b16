import { notSupported } from '../accounts-error.ts';
import { guessPassword } from '../attempts/guess-password.ts';
import { createLoginAttempts, type LoginAttempts } from '../attempts/login-attempts.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { Account, Directories } from '../directory/index.ts';
import type { AccountsOptions } from '../options.ts';
import type { AttemptStore, SecondFactors } from '../second-factors/index.ts';
import { authenticate, unlessAmbiguous } from '../sign-in/password-step.ts';
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

const allowed = (account: Account | undefined): string | undefined =>
  account === undefined || isBarred(account) ? undefined : account.subject;

/** Undefined for a user who is to be deleted: only a sign-in on the pages can keep the account. */
const unlessDeleted = async (deletions: Deletions, subject: string | undefined): Promise<string | undefined> =>
  subject !== undefined && (await deletions.of(subject)) === undefined ? subject : undefined;

/** @param attempts the counts of wrong passwords, apart from those of the pages: neither locks a user out of the other */
const operationsOf = (
  { deletions, directories, dependencies: { logger } }: Parts,
  factors: SecondFactors,
  attempts: LoginAttempts,
): PassOperations => ({
  factors,
  find: async (login) =>
    unlessDeleted(deletions, allowed(await unlessAmbiguous(logger, () => directories.find(login)))),
  async checkPassword(login, password) {
    // No limit by address: the address is that of the plug-in, not that of the user.
    const result = await guessPassword({ attempts }, { key: directories.lookupKey(login) }, (mayCheck) =>
      authenticate({ directories, logger }, login, password, mayCheck),
    );
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
  const { options, dependencies, factors, emit } = parts;
  if (!options.validateCheck.enabled) return undefined;
  if (factors === undefined) throw notSupported('/validate/check', 'Set accounts.database.');
  const { now } = dependencies;
  const attempts = createLoginAttempts(parts.attempts, options.attempts, now, 'validate-check');
  return createValidateCheck({ ...options.validateCheck, ...operationsOf(parts, factors, attempts), now, emit });
};
