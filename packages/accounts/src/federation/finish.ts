import type { ProviderFinish, ProviderSignIn } from '../api/providers.ts';
import type { Circumstances, SignIn } from '../api/sign-in.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { IdentityStore } from '../store/index.ts';
import { shownUser } from '../users/shown-user.ts';
import { authTimeOf, verifiedBy } from './assurance.ts';
import {
  type CreateUserDependencies,
  type createNewcomerCodec,
  createUserOf,
  type Newcomer,
  shownOf,
} from './create-user.ts';
import type { createFindUser } from './find-user.ts';
import type { Flow } from './flow-state.ts';
import type { IdentityLinks } from './identity-links.ts';
import type { UpstreamUser } from './port.ts';
import { type ConfiguredProvider, shownProvider } from './provider.ts';
import type { createSignInUser, SignedInUser } from './sign-in-user.ts';
import {
  createVerifyAnswer,
  logFailure,
  signInAt,
  type VerifiedAnswer,
  type VerifyDependencies,
} from './verify-answer.ts';

type SignInEvent = Extract<AccountsEvent, { readonly type: 'sign_in' }>;

export interface FinishDependencies extends VerifyDependencies {
  readonly provesAddress: (provider: ConfiguredProvider['options'], address: string) => boolean;
  readonly identities: Pick<IdentityStore, 'find'>;
  readonly links: IdentityLinks;
  readonly newcomers: ReturnType<typeof createNewcomerCodec>;
  readonly findUser: ReturnType<typeof createFindUser>;
  readonly signInUser: ReturnType<typeof createSignInUser>;
  /** Undefined without users in the accounts database: no user is created. */
  readonly creation: CreateUserDependencies | undefined;
  readonly now: () => number;
}

interface Answered extends VerifiedAnswer {
  readonly newcomer: Newcomer;
  readonly mustConfirm: boolean;
  readonly language: string | undefined;
}

interface Outcome<State extends ProviderSignIn = ProviderSignIn>
  extends Pick<SignInEvent, 'subject' | 'directory' | 'reason'> {
  readonly state: State;
}

const ofUser = ({ state, account, reason }: SignedInUser, subject: string): Outcome<SignIn> => ({
  state,
  subject,
  directory: account?.directory,
  reason,
});

const signIn = async (
  { signInUser }: Pick<FinishDependencies, 'signInUser'>,
  { user: { mapped }, newcomer, circumstances }: Answered,
  subject: string,
): Promise<Outcome> => ofUser(await signInUser({ ...newcomer, subject, mapped }, circumstances), subject);

/** Links the identity to the user who began, and whom the caller has authenticated. */
const linkTo = async (dependencies: FinishDependencies, answered: Answered, subject: string): Promise<Outcome> => {
  const { links, identities } = dependencies;
  const { provider, upstreamSubject, shown } = answered.newcomer;
  const isLinked = await links.link(
    { provider, upstreamSubject, shown, subject, language: answered.language },
    answered.flow.begunAt,
  );
  const owner = isLinked ? subject : (await identities.find({ provider, upstreamSubject }))?.subject;
  // The identity of another user is neither taken away, nor does it sign in the other user here.
  if (owner !== subject) return { state: { state: 'refused' }, subject, reason: 'linked_to_another' };
  return signIn(dependencies, answered, subject);
};

/** Creates the user, or finds the one that a parallel answer has created. */
export const createAndSignIn = async (
  dependencies: Pick<FinishDependencies, 'creation' | 'identities' | 'signInUser'>,
  newcomer: Newcomer,
  circumstances: Circumstances,
): Promise<Outcome<SignIn>> => {
  const { creation, identities, signInUser } = dependencies;
  const created = creation === undefined ? undefined : await createUserOf(creation, newcomer);
  const subject = created ?? (await identities.find(newcomer))?.subject;
  if (subject === undefined) return { state: { state: 'expired' } };
  return ofUser(await signInUser({ ...newcomer, subject, mapped: {} }, circumstances), subject);
};

/** The first sign-in of an identity. */
const meet = async (dependencies: FinishDependencies, answered: Answered): Promise<Outcome> => {
  const { findUser, identities, links, newcomers, creation } = dependencies;
  const { provider, newcomer, user, circumstances } = answered;
  const match = await findUser(provider.options, user);
  if (match !== undefined) {
    // A parallel answer may have created the user with this identity since.
    const known = await identities.find(newcomer);
    if (known !== undefined) return signIn(dependencies, answered, known.subject);
    const { subject } = match.account;
    const link = { ...newcomer, subject, language: answered.language };
    if (match.isSame && (await links.link(link, newcomer.at))) return signIn(dependencies, answered, subject);
    const login = user.email ?? '';
    const sealed = links.seal(link, circumstances.binding);
    return { state: { state: 'link', link: sealed, login, provider: shownProvider(provider.options) }, subject };
  }
  // A new user has no factor that could make up for it.
  if (!newcomer.isFresh) return { state: { state: 'refused' }, reason: 'not_fresh' };
  if (provider.options.signUp === 'off' || creation === undefined) return { state: { state: 'unknown_user' } };
  if (provider.options.signUp === 'automatic' && !answered.mustConfirm)
    return createAndSignIn(dependencies, newcomer, circumstances);
  const { email, claims } = newcomer;
  const shown = shownUser({ subject: '', claims: { ...claims, email }, login: newcomer.shown });
  return { state: { state: 'sign_up', progress: newcomers.seal(newcomer, circumstances.binding), user: shown } };
};

const resolve = async (dependencies: FinishDependencies, answered: Answered): Promise<Outcome> => {
  const { linkTo: subject } = answered.flow;
  if (subject !== undefined) return linkTo(dependencies, answered, subject);
  const known = await dependencies.identities.find(answered.newcomer);
  return known === undefined ? meet(dependencies, answered) : signIn(dependencies, answered, known.subject);
};

const newcomerOf = (
  { provesAddress, now }: Pick<FinishDependencies, 'provesAddress' | 'now'>,
  { options }: ConfiguredProvider,
  user: UpstreamUser,
  flow: Flow,
): Newcomer => {
  const { email, emailVerified } = user;
  const at = now();
  return {
    provider: options.name,
    upstreamSubject: user.subject,
    shown: shownOf(user),
    email: email !== undefined && emailVerified && provesAddress(options, email) ? email : undefined,
    claims: user.claims,
    verified: verifiedBy(options, user),
    isFresh: user.isFresh,
    authTime: authTimeOf(user, flow, at),
    at,
  };
};

/** `providers.finish`. */
export const createFinish = (dependencies: FinishDependencies) => {
  const { emit, logger } = dependencies;
  const verify = createVerifyAnswer(dependencies);
  return async (input: ProviderFinish): Promise<ProviderSignIn> => {
    const answered = await verify(input);
    if ('state' in answered) return answered;
    const { provider, user, flow } = answered;
    const newcomer = newcomerOf(dependencies, provider, user, flow);
    const { mustConfirm = false, language } = input;
    const outcome = await resolve(dependencies, { ...answered, newcomer, mustConfirm, language });
    const { state: given, ...members } = outcome;
    const isOld = members.reason === 'not_fresh';
    if (isOld) logFailure(logger, 'info', { provider: provider.options.name, reason: 'not_fresh' });
    const state: ProviderSignIn = isOld ? { state: 'provider_failed' } : given;
    await emit({ ...signInAt(provider), ...members, result: state.state });
    return state;
  };
};
