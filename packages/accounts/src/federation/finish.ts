import type { ProviderFinish, ProviderSignIn } from '../api/providers.ts';
import type { Circumstances, SignIn } from '../api/sign-in.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { IdentityStore } from '../store/index.ts';
import { shownUser } from '../users/shown-user.ts';
import { verifiedBy } from './assurance.ts';
import {
  type CreateUserDependencies,
  type createNewcomerCodec,
  createUserOf,
  type Newcomer,
  shownOf,
} from './create-user.ts';
import type { createFindUser } from './find-user.ts';
import type { Flow, FlowStates } from './flow-state.ts';
import type { IdentityLinks } from './identity-links.ts';
import type { UpstreamUser } from './port.ts';
import { type ConfiguredProvider, shownProvider } from './provider.ts';
import type { createSignInUser, SignedInUser } from './sign-in-user.ts';

type SignInEvent = Extract<AccountsEvent, { readonly type: 'sign_in' }>;

export interface FinishDependencies {
  readonly providerOf: (name: string) => ConfiguredProvider;
  readonly provesAddress: (provider: ConfiguredProvider['options'], address: string) => boolean;
  readonly states: FlowStates;
  readonly identities: Pick<IdentityStore, 'find'>;
  readonly links: IdentityLinks;
  readonly newcomers: ReturnType<typeof createNewcomerCodec>;
  readonly findUser: ReturnType<typeof createFindUser>;
  readonly signInUser: ReturnType<typeof createSignInUser>;
  /** Undefined without users in the accounts database: no user is created. */
  readonly creation: CreateUserDependencies | undefined;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => number;
}

interface Answered {
  readonly provider: ConfiguredProvider;
  readonly flow: Flow;
  readonly user: UpstreamUser;
  readonly newcomer: Newcomer;
  readonly circumstances: Circumstances;
}

interface Outcome<State extends ProviderSignIn = ProviderSignIn>
  extends Pick<SignInEvent, 'subject' | 'directory' | 'reason'> {
  readonly state: State;
}

const ofUser = ({ state, account }: SignedInUser, subject: string): Outcome<SignIn> => ({
  state,
  subject,
  directory: account?.directory,
  reason: account === undefined ? 'disabled' : undefined,
});

const signIn = async (
  { signInUser }: Pick<FinishDependencies, 'signInUser'>,
  { user: { mapped }, newcomer: { verified, isFresh }, circumstances }: Answered,
  subject: string,
): Promise<Outcome> => ofUser(await signInUser({ subject, verified, isFresh, mapped }, circumstances), subject);

/** Links the identity to the user who began, and whom the caller has authenticated. */
const linkTo = async (dependencies: FinishDependencies, answered: Answered, subject: string): Promise<Outcome> => {
  const { links, identities } = dependencies;
  const { provider, upstreamSubject, shown } = answered.newcomer;
  const isLinked = await links.link({ provider, upstreamSubject, shown, subject }, answered.flow.begunAt);
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
  const { verified, isFresh } = newcomer;
  return ofUser(await signInUser({ subject, verified, isFresh, mapped: {} }, circumstances), subject);
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
    const link = { ...newcomer, subject };
    if (match.isSame && (await links.link(link, newcomer.at))) return signIn(dependencies, answered, subject);
    const login = user.email ?? '';
    const sealed = links.seal(link, circumstances.binding);
    return { state: { state: 'link', link: sealed, login, provider: shownProvider(provider.options) }, subject };
  }
  if (provider.options.signUp === 'off' || creation === undefined) return { state: { state: 'unknown_user' } };
  if (provider.options.signUp === 'automatic') return createAndSignIn(dependencies, newcomer, circumstances);
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
): Newcomer => {
  const { email, emailVerified } = user;
  return {
    provider: options.name,
    upstreamSubject: user.subject,
    shown: shownOf(user),
    email: email !== undefined && emailVerified && provesAddress(options, email) ? email : undefined,
    claims: user.claims,
    verified: verifiedBy(options, user),
    isFresh: user.isFresh,
    at: now(),
  };
};

/** `providers.finish`. The state is opened before anything else of the answer is read. */
export const createFinish = (dependencies: FinishDependencies) => {
  const { providerOf, states, emit, logger } = dependencies;
  return async ({
    provider: name,
    callback,
    answer,
    cookie,
    ...circumstances
  }: ProviderFinish): Promise<ProviderSignIn> => {
    const provider = providerOf(name);
    const parameters = new URLSearchParams(answer);
    const [state = '', ...others] = parameters.getAll(provider.upstream.stateParameter);
    const flow = others.length === 0 ? states.open(state, cookie) : undefined;
    if (flow === undefined || flow.provider !== name || flow.binding !== circumstances.binding)
      return { state: 'expired' };
    const { maxAge, isLoginForced, begunAt } = flow;
    const loginAfter = isLoginForced ? begunAt : undefined;
    const result = await provider.upstream.verify({ callback, state, secret: cookie, maxAge, loginAfter, parameters });
    const audited = { type: 'sign_in', method: 'provider', provider: name } as const;
    if (result.outcome !== 'verified') {
      const refusal = result.outcome === 'denied' ? 'denied' : 'provider_failed';
      logger[refusal === 'denied' ? 'info' : 'warn'](
        { provider: name, reason: result.reason },
        'A sign-in at a provider has failed.',
      );
      await emit({ ...audited, result: refusal });
      return { state: refusal };
    }
    const { user } = result;
    const newcomer = newcomerOf(dependencies, provider, user);
    const outcome = await resolve(dependencies, { provider, flow, user, newcomer, circumstances });
    const { state: next, ...members } = outcome;
    await emit({ ...audited, ...members, result: next.state });
    return next;
  };
};
