import { isDeepStrictEqual } from 'node:util';
import type { Circumstances, SignIn } from '../api/sign-in.ts';
import type { Account, Directories } from '../directory/index.ts';
import type { VerifiedFactor } from '../second-factors/index.ts';
import { beginProgress } from '../sign-in/progress.ts';
import { isBarred, type SignInMachine } from '../sign-in/sign-in-machine.ts';
import type { Users } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';

export interface SignInUserDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly machine: Pick<SignInMachine, 'advance'>;
  readonly local: { readonly users: Pick<Users, 'updateClaims'>; readonly subjects: LocalSubjects } | undefined;
  readonly now: () => number;
}

/** A sign-in at a provider of a user who is known here. */
export interface KnownSignIn {
  readonly subject: string;
  readonly verified: VerifiedFactor;
  readonly isFresh: boolean;
  /** The claims of the mapping, which the provider decides: `null` for one that it does not have. */
  readonly mapped: Readonly<Record<string, unknown>>;
}

export interface SignedInUser {
  readonly state: SignIn;
  /** Undefined if the user does not exist, or may not sign in. */
  readonly account: Account | undefined;
}

/** Stores the mapped claims of a user in the accounts database, if they have changed. */
const refresh = async (
  { directories, local }: SignInUserDependencies,
  account: Account,
  mapped: KnownSignIn['mapped'],
): Promise<Account> => {
  const id = local?.subjects.idOf(account.subject);
  const changes = Object.entries(mapped).filter(
    ([name, value]) => !isDeepStrictEqual(account.claims[name] ?? null, value),
  );
  if (local === undefined || id === undefined || changes.length === 0) return account;
  await local.users.updateClaims(id, Object.fromEntries(changes));
  return (await directories.load(account.subject)) ?? account;
};

/** Signs in the user of an identity, as after a password: the policy decides which factors follow. */
export const createSignInUser =
  (dependencies: SignInUserDependencies) =>
  async ({ subject, verified, isFresh, mapped }: KnownSignIn, circumstances: Circumstances): Promise<SignedInUser> => {
    const { directories, machine, now } = dependencies;
    const found = await directories.load(subject);
    if (found === undefined || isBarred(found)) return { state: { state: 'refused' }, account: undefined };
    const account = await refresh(dependencies, found, mapped);
    const { realm, passwordVersion } = account;
    const began = { subject, realm, passwordVersion, verified: [verified], mustVerifyFactor: !isFresh };
    const state = await machine.advance({ account, progress: beginProgress(began, now()) }, circumstances);
    return { state, account };
  };
