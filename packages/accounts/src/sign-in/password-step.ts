import { type Authentication, type Directories, DirectoryError } from '@carnet/directory';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { SignIn } from '../wire.ts';
import { progressLifetimeMs } from './progress.ts';
import type { Circumstances, SignInMachine } from './sign-in-machine.ts';

export interface PasswordStepDependencies {
  readonly directories: Pick<Directories, 'authenticate' | 'canChangePassword'>;
  readonly attempts: LoginAttempts;
  readonly machine: Pick<SignInMachine, 'advance'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: AccountsDependencies['logger'];
  readonly now: () => number;
  /** Returns the same text for all spellings of a login name that a directory treats as equal. */
  readonly normaliseLogin: (login: string) => string;
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
): Promise<Authentication> => {
  try {
    return await directories.authenticate(login, password);
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'ambiguous') throw error;
    logger.warn({ directory: error.directory }, error.message);
    return { accepted: false, reason: 'unknown_user' };
  }
};

const check = async (
  dependencies: PasswordStepDependencies,
  { login, password, ...circumstances }: Circumstances & { readonly login: string; readonly password: string },
  giveBack: () => Promise<void>,
): Promise<SignIn> => {
  const { machine, emit, now } = dependencies;
  const result = await authenticate(dependencies, login, password);
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
  await giveBack();
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
  async (input: Circumstances & { readonly login: string; readonly password: string }): Promise<SignIn> => {
    const { attempts, emit, normaliseLogin } = dependencies;
    const attempt = await attempts.begin(normaliseLogin(input.login), input.address);
    if (attempt.retryAfterSeconds !== undefined) {
      await emit({ type: 'sign_in', method: 'password', result: 'limited' });
      return { state: 'limited', retry_after_seconds: attempt.retryAfterSeconds };
    }
    try {
      return await check(dependencies, input, attempt.giveBack);
    } catch (error) {
      // A failure of a directory must not be counted as a wrong password.
      await attempt.giveBack();
      throw error;
    }
  };
