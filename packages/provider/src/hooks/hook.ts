import type { OAuth2Client } from '../clients/client-record.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Whom tokens are for, and what they are to say: Hydra's session, by its names. */
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

/** What a token hook is told: Hydra's own body. */
export interface TokenHookRequest {
  readonly session: HookSession;
  readonly request: {
    readonly client_id: string;
    readonly client: OAuth2Client;
    readonly requested_scopes: readonly string[];
    readonly granted_scopes: readonly string[];
    readonly granted_audience: readonly string[];
    readonly grant_types: readonly string[];
    /** What the client sent, without what authenticates it or can be used once more. */
    readonly payload: Readonly<Record<string, readonly string[]>>;
  };
}

/** What a refresh token hook is told: Hydra's own body. */
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

/** Other claims in place of those there are; nothing keeps them; `denied` is `access_denied` to the client. */
export type HookAnswer =
  | { readonly session: { readonly access_token?: Claims | null; readonly id_token?: Claims | null } }
  | { readonly denied: true }
  | undefined;

export type TokenHook = (request: TokenHookRequest) => HookAnswer | Promise<HookAnswer>;
export type RefreshTokenHook = (request: RefreshTokenHookRequest) => HookAnswer | Promise<HookAnswer>;

/** Somebody that a token speaks for, and whoever acts for them (RFC 8693, section 4.1). */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor;
}

/** A token that is handed in to be exchanged, verified. */
export interface ExchangedToken {
  readonly subject: string;
  /** Whom it was issued to; absent of what another issuer has made. */
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
  /** What is asked for. */
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

/**
 * Nothing leaves it to the rules: a client exchanges tokens that were issued to it or for it, for no more scope than they
 * have. `scopes` allows it, with these scopes, as far as the client is registered for them.
 */
export type TokenExchangeAnswer = { readonly denied: true } | { readonly scopes: readonly string[] } | undefined;

/** Hooks of the program that Carnet is mounted in. They are asked after those that are asked by HTTP. */
export interface Hooks {
  readonly token?: TokenHook;
  readonly refreshToken?: RefreshTokenHook;
  /** Who may exchange which tokens (`features.tokenExchange`). */
  readonly tokenExchange?: (request: TokenExchangeRequest) => TokenExchangeAnswer | Promise<TokenExchangeAnswer>;
}

/** A hook that gave no answer that could be understood. `isTemporary`: it might when it is asked again. */
export class HookError extends Error {
  override readonly name = 'HookError';
  readonly isTemporary: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTemporary: boolean }) {
    super(message, options);
    this.isTemporary = options.isTemporary;
  }
}
