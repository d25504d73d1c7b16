import { changePassword, type PasswordChangeDependencies } from '../account/change-password.ts';
import type { Accounts } from '../api/accounts.ts';
import type { Circumstances } from '../api/sign-in.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { type Current, inCircumstances, type SignInMachine } from './sign-in-machine.ts';

export interface NewPasswordDependencies extends PasswordChangeDependencies {
  readonly directories: Pick<Directories, 'changePassword' | 'load'>;
  readonly machine: SignInMachine;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

/** The sign-in, bound to the new password instead of the verified one. */
const withNewPassword = async (
  { directories }: NewPasswordDependencies,
  { progress, account }: Current,
): Promise<Current> => {
  const changed = (await directories.load(account.subject)) ?? account;
  const { passwordVersion } = changed;
  return { account: changed, progress: { ...progress, mustChangePassword: false, passwordVersion } };
};

/** Whether every other step is done. The second factor is verified before the password changes. */
const isDue = async (machine: SignInMachine, current: Current, circumstances: Circumstances): Promise<boolean> =>
  current.progress.mustChangePassword === true &&
  (await machine.next(inCircumstances(current, circumstances))).step === 'done';

/** `sign-in/new-password`: replaces a password that the directory accepts only to change it. */
export const createNewPasswordStep =
  (dependencies: NewPasswordDependencies): Accounts['signIn']['newPassword'] =>
  async ({ progress, password, next, language, ...circumstances }) => {
    const { machine, emit } = dependencies;
    const current = await machine.resume(progress, circumstances.binding);
    if (current === undefined) return { state: 'expired' };
    if (!(await isDue(machine, current, circumstances))) return machine.advance(current, circumstances);
    const { subject, directory } = current.account;
    const audited = { type: 'sign_in', method: 'password', subject, directory } as const;
    const { address, device } = circumstances;
    const change = await changePassword(dependencies, { subject, current: password, next, address, device });
    if (change.changed) {
      await emit({ type: 'password_changed', subject, by: 'expired', language });
      const state = await machine.advance(await withNewPassword(dependencies, current), circumstances);
      await emit({ ...audited, result: state.state });
      return state;
    }
    if (change.reason === 'limited') {
      await emit({ ...audited, result: 'limited' });
      return { state: 'limited', retryAfterSeconds: change.retryAfterSeconds };
    }
    if (change.reason === 'weak_password') {
      await emit({ ...audited, result: 'weak_password' });
      return { state: 'weak_password', message: change.message };
    }
    await emit({ ...audited, result: 'refused', reason: change.reason });
    return { state: 'refused' };
  };
