import type { LinkedIdentity, ProviderOperations, ProviderSignIn, ShownProvider } from '@carnet/accounts';
import { AccountsError } from '@carnet/accounts/client';

type Begun = Parameters<ProviderOperations['begin']>[0];

/** The operations of sign-in with other providers, in memory. The code in the answer names the result of `finish`. */
export interface StandInProviders extends ProviderOperations {
  /** What each `begin` got. */
  readonly begun: Begun[];
  readonly finished: Parameters<ProviderOperations['finish']>[0][];
  readonly signedUp: Parameters<ProviderOperations['signUp']>[0][];
  /** The logout tokens that it got. `good` is valid. */
  readonly loggedOut: string[];
  readonly results: Map<string, ProviderSignIn>;
  readonly linked: LinkedIdentity[];
}

export const signedIn = {
  state: 'done',
  user: { subject: 'u1', name: 'Ada' },
  subject: 'u1',
  acr: 'urn:carnet:1fa',
  amr: ['fed'],
  authTime: 1,
  claims: {},
} as const satisfies ProviderSignIn;

const isDomainOf = (login: string | undefined): boolean => login?.endsWith('@corp.example') === true;

/** `corp` is the only provider of the client `intranet`, of the hint `corp`, and of the domain corp.example. */
export const createStandInProviders = (
  providers: readonly ShownProvider[] = [
    { name: 'corp', label: 'Corp <b>& Co' },
    { name: 'google', label: 'Google', preset: 'google' },
  ],
): StandInProviders => {
  const [begun, finished, signedUp, linked]: [
    StandInProviders['begun'],
    StandInProviders['finished'],
    StandInProviders['signedUp'],
    LinkedIdentity[],
  ] = [[], [], [], []];
  const loggedOut: string[] = [];
  const flows = new Map<string, Begun & { readonly cookie: string }>();
  const results = new Map<string, ProviderSignIn>([['good', signedIn]]);
  return {
    begun,
    finished,
    signedUp,
    linked,
    loggedOut,
    results,
    list: async ({ clientId, login, hint }) => {
      const isOnly = clientId === 'intranet' || hint === 'corp' || isDomainOf(login);
      return { providers, only: isOnly ? 'corp' : undefined };
    },
    begin: async (input) => {
      if (!providers.some(({ name }) => name === input.provider)) throw new AccountsError('not_supported', 'unknown');
      begun.push(input);
      const state = `s${flows.size}.${input.binding}`;
      const cookie = `cookie-${flows.size}`;
      flows.set(state, { ...input, cookie });
      return { url: `https://${input.provider}.example/authorize?${new URLSearchParams({ state })}`, cookie };
    },
    metadata: async ({ provider, callback }) =>
      provider === 'corp' ? { xml: `<EntityDescriptor entityID="${callback}/metadata"/>` } : undefined,
    read: async ({ state }) => {
      const flow = flows.get(state);
      return flow && { binding: flow.binding, remember: flow.remember ?? false };
    },
    finish: async (input) => {
      finished.push(input);
      const answer = new URLSearchParams(input.answer);
      const flow = flows.get(answer.get('state') ?? answer.get('RelayState') ?? '');
      const isOwn =
        flow?.cookie === input.cookie && flow.provider === input.provider && flow.callback === input.callback;
      return (isOwn && results.get(answer.get('code') ?? '')) || { state: 'provider_failed' };
    },
    signUp: async (input) => {
      signedUp.push(input);
      return signedIn;
    },
    signOut: async ({ provider, callback, loginHint = '' }) => {
      if (provider !== 'corp') return undefined;
      const query = new URLSearchParams({ post_logout_redirect_uri: `${callback}/signed-out`, logout_hint: loginHint });
      return { url: `https://corp.example/end?${query}` };
    },
    backchannelLogout: async ({ provider, logoutToken }) => {
      if (!providers.some(({ name }) => name === provider)) throw new AccountsError('not_supported', 'unknown');
      loggedOut.push(logoutToken);
      return logoutToken === 'good' ? { ok: true } : { ok: false, error: 'invalid_token' };
    },
    identities: async () => ({ identities: linked }),
    unlink: async ({ id }) => {
      if (linked.length === 1) return { ok: false, error: 'last_way' };
      linked.splice(0, linked.length, ...linked.filter((each) => each.id !== id));
      return { ok: true };
    },
  };
};
