import type { OidcProviderOptions, SendUpstream, UpstreamProvider, UpstreamResult } from '@carnet/accounts';
import type { IdentityStandIn, RegisteredClient } from '@carnet/test-servers/identity-providers';
import { openOidcProvider } from '../src/index.ts';

export const clientOf = (provider: string): RegisteredClient => ({
  clientId: 'carnet',
  clientSecret: 'the secret of the client',
  redirectUri: `https://login.example.com/login/provider/${provider}`,
});

export const optionsOf = (
  members: Partial<OidcProviderOptions> & Pick<OidcProviderOptions, 'name'>,
): OidcProviderOptions => ({
  ...{ kind: 'oidc', domains: [], isAuthorityFor: [], clients: [], scopes: [], tenants: [], claims: {} },
  ...{ signUp: 'confirm', factors: 'own', userinfo: true },
  clientId: 'carnet',
  clientSecret: 'the secret of the client',
  ...members,
});

const state = 'the-state.of-the-flow';
const secret = 'the secret of the browser';

export interface SignInOptions {
  readonly maxAge?: number;
  /** When a new sign-in was asked for. */
  readonly loginAfter?: number;
  /** Changes the answer on its way. */
  readonly change?: (parameters: URLSearchParams) => void;
  /** The secret of the browser that finishes. */
  readonly secret?: string;
}

/** Signs in a user of a stand-in from the request to the verified answer. */
export const signIn = async (
  provider: UpstreamProvider,
  { authorize }: Pick<IdentityStandIn, 'authorize'>,
  callback: string,
  user: Readonly<Record<string, unknown>>,
  { maxAge, loginAfter, change, ...others }: SignInOptions = {},
): Promise<UpstreamResult> => {
  const url = await provider.authorizationUrl({
    ...{ callback, state, secret, maxAge },
    prompt: loginAfter === undefined ? undefined : 'login',
  });
  const parameters = new URLSearchParams(authorize(url, user));
  change?.(parameters);
  return provider.verify({ callback, state, secret, maxAge, loginAfter, parameters, ...others });
};

export const openProvider = (options: OidcProviderOptions, send: SendUpstream): Promise<UpstreamProvider> =>
  openOidcProvider(options, { send, now: Date.now });
