import type { Claims } from '../directory/index.ts';

/** A user as a provider has authenticated it. */
export interface UpstreamUser {
  /**
   * Identifies the user at this provider for ever. Never a login name or an email address, because these are given to other
   * users later.
   */
  readonly subject: string;
  /** The claims of the user by their names at Carnet, without those of the protocol and without the email address. */
  readonly claims: Claims;
  /** The claims of the configured mapping, which the provider decides at each sign-in: `null` for one that it does not have. */
  readonly mapped: Claims;
  readonly email: string | undefined;
  /** Whether the provider states that the address belongs to the user. False where it does not say. */
  readonly emailVerified: boolean;
  readonly acr: string | undefined;
  readonly amr: readonly string[];
  /** Whether the provider has proved that the sign-in is as recent as the request asked for. True without such a request. */
  readonly isFresh: boolean;
  /** When the user authenticated, in seconds since 1970, if the signed part of the answer has the time. */
  readonly authTime?: number | undefined;
}

/** The request of a sign-in to the provider. */
export interface UpstreamRequest {
  readonly callback: string;
  readonly state: string;
  /** A secret of this sign-in that only the browser has: PKCE verifier and nonce are derived from it. */
  readonly secret: string;
  readonly loginHint?: string | undefined;
  readonly uiLocales?: string | undefined;
  readonly prompt?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly acrValues?: readonly string[] | undefined;
}

export interface UpstreamAnswer extends Pick<UpstreamRequest, 'callback' | 'state' | 'secret' | 'maxAge'> {
  /** The parameters of the answer. */
  readonly parameters: URLSearchParams;
  /** When a new sign-in was asked for (`prompt=login`), in milliseconds since 1970. */
  readonly loginAfter?: number | undefined;
}

/** `denied`: the user stopped, or the provider refused the user. `failed`: the answer is not valid, or the provider has an outage. */
export type UpstreamResult =
  | { readonly outcome: 'verified'; readonly user: UpstreamUser }
  | { readonly outcome: 'denied' | 'failed'; readonly reason: string };

/**
 * A logout at the provider, of which it has sent a notification. `id` is used once: it must be remembered until `expiresAt`, in
 * milliseconds since 1970.
 */
export type UpstreamLogout =
  | { readonly outcome: 'verified'; readonly subject: string; readonly id: string; readonly expiresAt: number }
  | { readonly outcome: 'failed'; readonly reason: string };

export interface UpstreamLogoutRequest {
  readonly returnTo: string;
  /** The login name of the user. */
  readonly loginHint?: string | undefined;
  readonly uiLocales?: string | undefined;
}

/**
 * One provider. Laws:
 *
 * - `verify` accepts an answer only for the `callback`, `state` and `secret` of its request, and only of this provider.
 * - A reason is a code. It contains no text of the answer, no code and no token.
 * - Both end within the time limit of outgoing requests.
 */
export interface UpstreamProvider {
  /** The parameter of the answer that has the state: that of OAuth 2.0, or that of SAML. */
  readonly stateParameter: 'state' | 'RelayState';
  /** The URL to which the browser is redirected. @throws Error with a reason as message, if the provider does not answer */
  authorizationUrl(request: UpstreamRequest): Promise<string>;
  verify(answer: UpstreamAnswer): Promise<UpstreamResult>;
  /** The metadata of Carnet for this provider, in XML. Undefined if its protocol has none. */
  metadata?(callback: string): string;
  /**
   * The URL at which the provider signs the user out (OpenID Connect RP-Initiated Logout 1.0), and then redirects to `returnTo`.
   * Undefined if the provider has none.
   *
   * @throws Error with a reason as message, if the provider does not answer
   */
  logoutUrl?(request: UpstreamLogoutRequest): Promise<string | undefined>;
  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0). Absent: the provider has none.
   *
   * @throws Error with a reason as message, if the keys of the provider cannot be read
   */
  verifyLogout?(token: string): Promise<UpstreamLogout>;
}

/** A request to a provider. It follows no redirect. */
export interface UpstreamHttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request within limits of time, size and addresses. @throws if there is no response within them */
export type SendUpstream = (
  request: UpstreamHttpRequest,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: string }>;

export interface UpstreamDependencies {
  readonly send: SendUpstream;
  /** Claims an id that can be claimed once, such as that of an assertion. @returns false if it was claimed before */
  readonly claim: (id: string, expiresAt: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The part of `@carnet/accounts-federation` that this package uses. */
export interface AccountsFederation<Options> {
  /** Opens a provider. It sends no request before the first sign-in. @throws TypeError for an option that cannot work */
  openOidcProvider(options: Options, dependencies: UpstreamDependencies): Promise<UpstreamProvider>;
}

/** The part of `@carnet/accounts-saml` that this package uses. */
export interface AccountsSaml<Options> {
  /** Opens a provider. It sends no request before the first sign-in. @throws TypeError for an option that cannot work */
  openSamlProvider(options: Options, dependencies: UpstreamDependencies): Promise<UpstreamProvider>;
}
