import { expiredProgress } from '../accounts-error.ts';
import type { FactorOwner as OwnerInput } from '../api/factors.ts';
import type { Directories } from '../directory/index.ts';
import type { Current, SignInMachine } from '../sign-in/sign-in-machine.ts';
import { textOf } from '../users/shown-user.ts';

/** The user whose factors are managed. */
export interface FactorOwner {
  readonly subject: string;
  /** The user's name in authenticators. */
  readonly account: string;
  readonly displayName: string;
  /** Present during a sign-in. */
  readonly signIn: (Current & { readonly binding: string }) | undefined;
}

export interface FactorOwners {
  /** @throws AccountsError `expired_progress` */
  of(owner: OwnerInput): Promise<FactorOwner>;
}

export const createFactorOwners = ({
  directories,
  machine,
}: {
  readonly directories: Pick<Directories, 'load'>;
  readonly machine: SignInMachine;
}): FactorOwners => {
  const inSignIn = async (progress: string, binding: string): Promise<Current & { readonly binding: string }> => {
    const current = await machine.resume(progress, binding);
    if (current === undefined) throw expiredProgress();
    const { step } = await machine.next(current);
    // A PIN is knowledge, as a password is: together they are one factor. So is a provider whose factors are not accepted.
    const isOneFactor = current.progress.verified.every(
      ({ kind, acr }) => kind === 'password' || kind === 'pin' || (kind === 'provider' && acr === undefined),
    );
    // One factor enrols another only if the policy asks for it. Otherwise an attacker who knows the password of a user with
    // factors, or has the user's session at the provider, could add a factor of their own, or remove those of the user.
    if (isOneFactor && step !== 'enrol') throw expiredProgress();
    return { ...current, binding };
  };
  return {
    of: async (owner) => {
      const signIn = 'progress' in owner ? await inSignIn(owner.progress, owner.binding) : undefined;
      const subject = signIn?.account.subject ?? ('subject' in owner ? owner.subject : '');
      const claims = (signIn?.account ?? (await directories.load(subject)))?.claims ?? {};
      const login = textOf(claims.email) ?? textOf(claims.preferred_username) ?? signIn?.progress.login;
      const account = login ?? subject;
      return { subject, account, displayName: textOf(claims.name) ?? account, signIn };
    },
  };
};
