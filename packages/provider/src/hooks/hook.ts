import type { OAuth2Client } from '../clients/client-record.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The subject and the claims of the tokens that are about to be issued. These are the names of Hydra's session. */
export interface HookSession {
  readonly id_token: {
    readonly id_token_claims: Claims & { readonly ext: Claims };
    readonly headers: { readonly extra: Claims };
    readonly username: string;
    readonly subject: string;
  };
  readonly extra: Claims;
  readonly client_id: string;
  readonly consent_challenge: string;
  readonly exclude_not_before_claim: boolean;
  readonly allowed_top_level_claims: readonly string[];
  readonly mirror_top_level_claims: boolean;
}

/** The request body of a token hook, as in Hydra. */
export interface TokenHookRequest {
  readonly session: HookSession;
  readonly request: {
    readonly client_id: string;
    readonly client: OAuth2Client;
    readonly requested_scopes: readonly string[];
    readonly granted_scopes: readonly string[];
    readonly granted_audience: readonly string[];
    readonly grant_types: readonly string[];
    /** The parameters of the token request, without credentials and without values that can be used again. */
    readonly payload: Readonly<Record<string, readonly string[]>>;
  };
}

/** The request body of a refresh token hook, as in Hydra. */
export interface RefreshTokenHookRequest {
  readonly subject: string;
  readonly session: HookSession;
  readonly requester: {
    readonly client_id: string;
    readonly granted_scopes: readonly string[];
    readonly granted_audience: readonly string[];
    readonly grant_types: readonly string[];
  };
  readonly client_id: string;
  readonly granted_scopes: readonly string[];
  readonly granted_audience: readonly string[];
}

/** A session replaces the claims of the tokens, `undefined` keeps them, and `denied` answers the client `access_denied`. */
export type HookAnswer =
  | { readonly session: { readonly access_token?: Claims | null; readonly id_token?: Claims | null } }
  | { readonly denied: true }
  | undefined;

export type TokenHook = (request: TokenHookRequest) => HookAnswer | Promise<HookAnswer>;
export type RefreshTokenHook = (request: RefreshTokenHookRequest) => HookAnswer | Promise<HookAnswer>;

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
  readonly refreshToken?: RefreshTokenHook;
  /** Decides which clients may exchange which tokens (`features.tokenExchange`). */
  readonly tokenExchange?: (request: TokenExchangeRequest) => TokenExchangeAnswer | Promise<TokenExchangeAnswer>;
}

/** A hook that gave no valid answer. `isTemporary`: a retry may succeed. */
export class HookError extends Error {
  override readonly name = 'HookError';
  readonly isTemporary: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTemporary: boolean }) {
    super(message, options);
    this.isTemporary = options.isTemporary;
  }
}
