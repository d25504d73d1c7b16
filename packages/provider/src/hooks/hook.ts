import type { OAuth2Client } from '../clients/client-record.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The extra claims of tokens, in addition to those that the standards define. */
export interface HookClaims {
  /** Claims of the ID token and of userinfo. */
  readonly idToken: Claims;
  /** The `ext` member of introspection and of JWT access tokens. */
  readonly accessToken: Claims;
}

/** The tokens that are about to be issued. */
export interface TokenHookRequest {
  readonly client: OAuth2Client;
  /** The `grant_type` of the token request. */
  readonly grantType: string;
  /** The subject as the client sees it. The client itself for tokens without a user. */
  readonly subject: string;
  readonly requestedScopes: readonly string[];
  readonly grantedScopes: readonly string[];
  readonly grantedAudience: readonly string[];
  readonly claims: HookClaims;
  /** The parameters of the token request, without credentials and without values that can be used again. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/** `claims` replaces the claims of the tokens, `undefined` keeps them, and `denied` answers the client `access_denied`. */
export type HookAnswer = { readonly claims: Partial<HookClaims> } | { readonly denied: true } | undefined;

export type TokenHook = (request: TokenHookRequest) => HookAnswer | Promise<HookAnswer>;

/** An actor, and the actor before it in the chain of delegation (RFC 8693, section 4.1). */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor;
}

/** A verified subject token or actor token (RFC 8693, section 2.1). */
export interface ExchangedToken {
  readonly subject: string;
  /** The client that the token was issued to. Absent for a token of another issuer. */
  readonly clientId?: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly act?: Actor;
}

export interface TokenExchangeRequest {
  readonly clientId: string;
  readonly subject: ExchangedToken;
  readonly actor?: ExchangedToken;
  /** The requested scopes. */
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

/**
 * `scopes` allows the exchange with these scopes, which the client must be registered for. `undefined` applies the default
 * rules: a client may exchange tokens that were issued to it or for it, for at most their scope.
 */
export type TokenExchangeAnswer = { readonly denied: true } | { readonly scopes: readonly string[] } | undefined;

/** Hooks in process. They are called after the hooks that are configured by URL. */
export interface Hooks {
  readonly token?: TokenHook;
  readonly refreshToken?: TokenHook;
  /** Decides which clients may exchange which tokens (`features.tokenExchange`). */
  readonly tokenExchange?: (request: TokenExchangeRequest) => TokenExchangeAnswer | Promise<TokenExchangeAnswer>;
}
