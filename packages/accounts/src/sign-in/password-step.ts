import type { Circumstances, SignIn } from '../api/sign-in.ts';
import { type GuessCounts, guessPassword } from '../attempts/guess-password.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import { type Authentication, type Directories, DirectoryError } from '../directory/index.ts';
import { progressLifetimeMs } from './progress.ts';
import type { SignInMachine } from './sign-in-machine.ts';

export interface PasswordStepDependencies {
  readonly directories: Pick<Directories, 'authenticate' | 'canChangePassword' | 'lookupKey'>;
  readonly counts: GuessCounts;
  readonly machine: Pick<SignInMachine, 'advance'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: AccountsDependencies['logger'];
  readonly now: () => number;
}

type Verified = { readonly mustChangePassword: boolean } | undefined;

/** The verdict on the password. The directories report `password_change_required` only after the right password. */
const verdictOf = (result: Authentication, { directories }: PasswordStepDependencies): Verified => {
  if (result.accepted) return { mustChangePassword: false };
  const isOld = result.reason === 'password_change_required' && result.account !== undefined;
  return isOld && directories.canChangePassword(result.account.subject) ? { mustChangePassword: true } : undefined;
};

/** Two users with one login name are a fault of the directory. The answer to the user must not reveal that they exist. */
const authenticate = async (
  { directories, logger }: PasswordStepDependencies,
  login: string,
  password: string,
  mayCheck: (subject: string) => Promise<boolean>,
): Promise<Authentication> => {
  try {
    return await directories.authenticate(login, password, mayCheck);
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'ambiguous') throw error;
    logger.warn({ directory: error.directory }, error.message);
    return { accepted: false, reason: 'unknown_user' };
  }
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
  const progress = {
    subject: account.subject,
    login: account.login ?? login,
    realm: account.realm,
    verified: [{ kind: 'password' as const }],
    authTime: Math.floor(now() / 1000),
    expiresAt: now() + progressLifetimeMs,
    ...verified,
  };
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
    const { counts, directories, emit } = dependencies;
    const guess = { key: directories.lookupKey(input.login), address: input.address, device: input.device };
    const result = await guessPassword(counts, guess, (mayCheck) =>
      authenticate(dependencies, input.login, password, mayCheck),
    );
    if (!('retryAfterSeconds' in result)) return advance(dependencies, result, input);
    await emit({ type: 'sign_in', method: 'password', result: 'limited', subject: result.subject });
    return result.subject === undefined
      ? { state: 'limited', retryAfterSeconds: result.retryAfterSeconds }
      : { state: 'refused' };
  };
