import { randomBytes } from 'node:crypto';
import type { LocalUsers } from '../account/account-operations.ts';
import { AccountsError, notSupported } from '../accounts-error.ts';
import type { Settings } from '../api/accounts.ts';
import type { ProviderOperations } from '../api/providers.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { createAllowedLinks } from '../links/allowed-links.ts';
import type { AccountsOptions } from '../options.ts';
import type { FactorStore, SecondFactors } from '../second-factors/index.ts';
import type { SignInMachine } from '../sign-in/sign-in-machine.ts';
import type { IdentityStore, Users } from '../store/index.ts';
import { createBackchannelLogout } from './backchannel-logout.ts';
import { createList, fixedFor } from './choose-provider.ts';
import { createNewcomerCodec } from './create-user.ts';
import { createFindUser } from './find-user.ts';
import { createAndSignIn, createFinish, type FinishDependencies } from './finish.ts';
import { createFlowStates } from './flow-state.ts';
import type { IdentityLinks } from './identity-links.ts';
import { createIdentityOperations } from './manage-identities.ts';
import { type ConfiguredProvider, provesAddress } from './provider.ts';
import { createSignInUser } from './sign-in-user.ts';
import { createSignOut } from './sign-out.ts';

export interface FlowDependencies {
  readonly options: Pick<AccountsOptions, 'linkOrigins' | 'organizations'>;
  readonly dependencies: Pick<AccountsDependencies, 'vault' | 'logger' | 'now'>;
  readonly providers: readonly ConfiguredProvider[];
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

export interface FederationDependencies extends FlowDependencies {
  readonly database: {
    readonly identities: IdentityStore;
    readonly users: Pick<Users, 'create' | 'show'>;
    readonly factors: Pick<FactorStore, 'claim'>;
  };
  readonly directories: Directories;
  readonly local: LocalUsers | undefined;
  readonly settings: Pick<Settings, 'emailSignIn'>;
  readonly listFactors: SecondFactors['list'];
  readonly links: IdentityLinks;
  readonly machine: SignInMachine;
  readonly onRevoke: (subject: string) => Promise<void>;
}

const createProviderOf =
  (providers: readonly ConfiguredProvider[]) =>
  (name: string): ConfiguredProvider => {
    const found = providers.find(({ options }) => options.name === name);
    if (found === undefined) throw notSupported('This provider', 'Add it to accounts.providers.');
    return found;
  };

/** @throws AccountsError `foreign_link` */
const createAssertCallback = (linkOrigins: readonly string[]) => {
  const links = createAllowedLinks(linkOrigins);
  return (callback: string, provider: string): void => {
    links.of({ linkBase: callback });
    // Safe against a mix-up because no two providers have one redirect URI (RFC 9700, section 4.4.2.2).
    const { pathname, search, hash } = new URL(callback);
    if (pathname.split('/').at(-1) !== provider || search !== '' || hash !== '')
      throw new AccountsError('foreign_link', `The callback of the provider ${provider} must end with /${provider}.`);
  };
};

type AssertCallback = ReturnType<typeof createAssertCallback>;

const createBegin =
  (
    { providerOf, isFor, states }: Pick<FinishDependencies, 'providerOf' | 'isFor' | 'states'>,
    assertCallback: AssertCallback,
  ): ProviderOperations['begin'] =>
  async (input) => {
    const { provider: name, binding, callback, clientId, maxAge, prompt, remember = false } = input;
    const { upstream } = providerOf(name);
    assertCallback(callback, name);
    if (!isFor(name, clientId))
      throw notSupported('This provider', 'The client is fixed to another one by accounts.providers[].clients.');
    const cookie = randomBytes(32).toString('base64url');
    const isLoginForced = prompt?.split(' ').includes('login') ?? false;
    const state = states.seal(
      { provider: name, binding, remember, maxAge, isLoginForced, linkTo: input.subject },
      cookie,
    );
    const { loginHint, uiLocales, acrValues } = input;
    const asked = { loginHint, uiLocales, prompt, maxAge, acrValues };
    try {
      return { url: await upstream.authorizationUrl({ callback, state, secret: cookie, ...asked }), cookie };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'error';
      throw new AccountsError('unavailable', `The provider ${name} does not answer (${reason}).`, { cause });
    }
  };

/** The way to a provider and back. It knows no users. */
export const createFlows = (parts: FlowDependencies) => {
  const { vault, now } = parts.dependencies;
  const providerOf = createProviderOf(parts.providers);
  const states = createFlowStates(vault, now);
  const configured = parts.providers.map(({ options }) => options);
  const isFor: FinishDependencies['isFor'] = (provider, clientId) =>
    (fixedFor(configured, clientId)?.name ?? provider) === provider;
  const read: ProviderOperations['read'] = async ({ state }) => {
    const flow = states.read(state);
    return flow && { binding: flow.binding, remember: flow.remember };
  };
  const assertCallback = createAssertCallback(parts.options.linkOrigins);
  const metadata: ProviderOperations['metadata'] = async ({ provider, callback }) => {
    const { upstream } = providerOf(provider);
    assertCallback(callback, provider);
    const xml = upstream.metadata?.(callback);
    return xml === undefined ? undefined : { xml };
  };
  const begin = createBegin({ providerOf, isFor, states }, assertCallback);
  const signOut = createSignOut({ providers: parts.providers, assertCallback });
  return { providerOf, isFor, states, begin, metadata, read, signOut };
};

/** Sign-in with other providers. */
export const createFederation = (parts: FederationDependencies): ProviderOperations => {
  const { dependencies, providers, database, directories, local, links, machine, emit } = parts;
  const { vault, logger, now } = dependencies;
  const { identities } = database;
  const creation = local && { users: database.users, subjects: local.subjects, emit };
  const configured = providers.map(({ options }) => options);
  const { providerOf, isFor, states, begin, metadata, read, signOut } = createFlows(parts);
  const finishing: FinishDependencies = {
    providerOf,
    isFor,
    provesAddress: (provider, address) => provesAddress(configured, provider, address),
    states,
    identities,
    links,
    newcomers: createNewcomerCodec(vault, now),
    findUser: createFindUser({ directories, logger }),
    signInUser: createSignInUser({ directories, machine, local, now }),
    creation,
    emit,
    logger,
    now,
  };
  return {
    list: createList(configured, parts.options.organizations),
    begin,
    metadata,
    read,
    signOut,
    finish: createFinish(finishing),
    signUp: async ({ progress, ...circumstances }) => {
      const newcomer = finishing.newcomers.open(progress, circumstances.binding);
      if (newcomer === undefined) return { state: 'expired' };
      const { state, ...members } = await createAndSignIn(finishing, newcomer, circumstances);
      const { provider } = newcomer;
      await emit({ type: 'sign_in', method: 'provider', provider, ...members, result: state.state });
      return state;
    },
    backchannelLogout: createBackchannelLogout({ ...finishing, claims: database.factors, onRevoke: parts.onRevoke }),
    ...createIdentityOperations({ ...parts, identities }),
  };
};
