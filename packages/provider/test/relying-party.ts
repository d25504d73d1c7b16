import * as oidc from 'openid-client';
import { type Browser, createBrowser, locationOf } from './browser.ts';
import { redirectUri, type TestClient } from './clients.ts';
import { begin, type Decisions, decideAll, type Endpoints } from './login.ts';

export type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** What openid-client needs to know of the provider, from its discovery document. */
export const connect = (
  { issuer }: Pick<Endpoints, 'issuer'>,
  client: TestClient,
  authentication: oidc.ClientAuth = client.secret === undefined ? oidc.None() : oidc.ClientSecretBasic(client.secret),
  metadata: Partial<oidc.ClientMetadata> = {},
): Promise<oidc.Configuration> =>
  oidc.discovery(new URL(issuer), client.id, metadata, authentication, { execute: [oidc.allowInsecureRequests] });

export interface SignInOptions extends Decisions {
  readonly browser?: Browser;
  /** Of the authorization request, beside those every one has. */
  readonly params?: Readonly<Record<string, string>>;
}

/** An authorization request with state, nonce and PKCE, and what openid-client is to check of the answer. */
export const prepare = async (config: oidc.Configuration, params: SignInOptions['params'] = {}) => {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid offline_access profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...params,
  });
  const maxAge = params.max_age === undefined ? undefined : Number(params.max_age);
  return { url: url.href, checks: { pkceCodeVerifier, expectedState, expectedNonce, maxAge } };
};

/** A whole login from the URL of an authorization request that is there already. */
export const signInAt = async (
  endpoints: Endpoints,
  config: oidc.Configuration,
  { url, checks }: Awaited<ReturnType<typeof prepare>>,
  { browser = createBrowser(), ...decisions }: Omit<SignInOptions, 'params'> = {},
): Promise<Tokens> => {
  const end = await browser.get(await decideAll(endpoints, browser, await begin(browser, url), decisions));
  return oidc.authorizationCodeGrant(config, locationOf(end), checks);
};

/** A whole login, everything checked that openid-client checks: state, iss, the ID token with its nonce and signature. */
export const signIn = async (
  endpoints: Endpoints,
  config: oidc.Configuration,
  { browser = createBrowser(), params, ...decisions }: SignInOptions = {},
): Promise<Tokens> => {
  const { url, checks } = await prepare(config, params);
  return signInAt(endpoints, config, { url, checks }, { browser, ...decisions });
};
