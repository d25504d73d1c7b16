import type { Circumstances, SignIn } from '../api/sign-in.ts';
import { type GuessCounts, guessPassword } from '../attempts/guess-password.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import { type Authentication, type Directories, DirectoryError } from '../directory/index.ts';
import type { createDirectoriesOf } from '../organizations/choose-organization.ts';
import { beginProgress } from './progress.ts';
import type { SignInMachine } from './sign-in-machine.ts';

export interface PasswordStepDependencies {
  readonly directories: Pick<Directories, 'authenticate' | 'canChangePassword' | 'lookupKey'>;
  readonly counts: GuessCounts;
  readonly directoriesOf: ReturnType<typeof createDirectoriesOf>;
  readonly machine: Pick<SignInMachine, 'advance'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

type Verified = { readonly mustChangePassword: boolean } | undefined;

/** The verdict on the password. The directories report `password_change_required` only after the right password. */
const verdictOf = (result: Authentication, { directories }: PasswordStepDependencies): Verified => {
  if (result.accepted) return { mustChangePassword: false };
  const isOld = result.reason === 'password_change_required' && result.account !== undefined;
  return isOld && directories.canChangePassword(result.account.subject) ? { mustChangePassword: true } : undefined;
};

/**
 * The answer of `ask`; undefined if two users have the login name. That is a fault of the directory: neither can sign in, and
 * the answer to the user must not reveal that they exist.
 */
export const unlessAmbiguous = async <Value>(
  logger: Pick<Logger, 'warn'>,
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

/** Checks a password. Users with an ambiguous login name are answered as unknown ones. */
export const authenticate = async (
  { directories, logger }: { directories: Pick<Directories, 'authenticate'>; logger: Pick<Logger, 'warn'> },
  ...input: Parameters<Directories['authenticate']>
): Promise<Authentication> =>
  (await unlessAmbiguous(logger, () => directories.authenticate(...input))) ?? {
    accepted: false,
    reason: 'unknown_user',
  };

const advance = async (
  dependencies: PasswordStepDependencies,
  result: Authentication,
  { login, ...circumstances }: Circumstances & { readonly login: string },
): Promise<SignIn> => {
  const { machine, emit, now } = dependencies;
  const verified = verdictOf(result, dependencies);
  const { account } = result;
  const audited = {
    type: 'sign_in',
    method: 'password',
    subject: account?.subject,
    directory: account?.directory,
  } as const;
  if (verified === undefined || account === undefined) {
    await emit({ ...audited, result: 'refused', reason: result.accepted ? undefined : result.reason });
    return { state: 'refused' };
  }
  const { subject, realm } = account;
  const begun = { subject, login: account.login ?? login, realm, verified: [{ kind: 'password' as const }] };
  const progress = beginProgress({ ...begun, ...verified }, now());
  const state = await machine.advance({ progress, account }, circumstances);
  await emit({ ...audited, result: state.state });
  return state;
};

/** `sign-in/password`. Unknown, locked and disabled users get the same answer as a wrong password. */
export const createPasswordStep =
  (dependencies: PasswordStepDependencies) =>
  async ({
    password,
    ...input
  }: Circumstances & { readonly login: string; readonly password: string }): Promise<SignIn> => {
    const { counts, directories, directoriesOf, emit } = dependencies;
    const guess = { key: directories.lookupKey(input.login), address: input.address, device: input.device };
    const result = await guessPassword(counts, guess, (mayCheck) =>
      authenticate(dependencies, input.login, password, mayCheck, directoriesOf(input)),
    );
    if (!('retryAfterSeconds' in result)) return advance(dependencies, result, input);
    await emit({ type: 'sign_in', method: 'password', result: 'limited', subject: result.subject });
    return result.subject === undefined
      ? { state: 'limited', retryAfterSeconds: result.retryAfterSeconds }
      : { state: 'refused' };
  };
