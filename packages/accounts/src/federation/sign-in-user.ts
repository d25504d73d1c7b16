import { isDeepStrictEqual } from 'node:util';
import type { Circumstances, SignIn } from '../api/sign-in.ts';
import type { Account, Directories } from '../directory/index.ts';
import { beginProgress } from '../sign-in/progress.ts';
import { isBarred, type SignInMachine } from '../sign-in/sign-in-machine.ts';
import type { Users } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import type { Newcomer } from './create-user.ts';

export interface SignInUserDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly machine: Pick<SignInMachine, 'advance' | 'next'>;
  readonly local: { readonly users: Pick<Users, 'updateClaims'>; readonly subjects: LocalSubjects } | undefined;
  readonly now: () => number;
}

/** A sign-in at a provider of a user who is known here. */
export interface KnownSignIn
  extends Pick<Newcomer, 'provider' | 'upstreamSubject' | 'verified' | 'isFresh' | 'authTime'> {
  readonly subject: string;
  /** The claims of the mapping, which the provider decides: `null` for one that it does not have. */
  readonly mapped: Readonly<Record<string, unknown>>;
}

export interface SignedInUser {
  readonly state: SignIn;
  /** Undefined if the user does not exist, or may not sign in. */
  readonly account: Account | undefined;
  readonly reason?: 'disabled' | 'not_fresh';
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
  async (
    { subject, provider, upstreamSubject, verified, isFresh, authTime, mapped }: KnownSignIn,
    circumstances: Circumstances,
  ): Promise<SignedInUser> => {
    const { directories, machine, now } = dependencies;
    const refused: SignIn = { state: 'refused' };
    const found = await directories.load(subject);
    if (found === undefined || isBarred(found)) return { state: refused, account: undefined, reason: 'disabled' };
    const account = await refresh(dependencies, found, mapped);
    const { realm, passwordVersion } = account;
    const identity = { provider, upstreamSubject };
    const began = {
      subject,
      realm,
      passwordVersion,
      identity,
      authTime,
      verified: [verified],
      mustVerifyFactor: !isFresh,
    };
    const progress = beginProgress(began, now());
    const isHopeless = !isFresh && (await machine.next({ progress, account })).step === 'refused';
    if (isHopeless) return { state: refused, account, reason: 'not_fresh' };
    return { state: await machine.advance({ account, progress }, circumstances), account };
  };
