/**
 * A login on its way:
 *
 *   authorization request -> login_challenge --accept/reject--> login_verifier
 *                         -> consent_challenge --accept/reject--> consent_verifier -> code
 *
 * Each arrow seals this state anew for the next purpose and adds one decision. The state travels in the URL; the
 * browser's flow cookie only proves that it is the browser that began (`flow-cookie.ts`), so rolling a cookie back
 * undoes no decision and twenty tabs cost little.
 */
export interface FlowState {
  /** 16 bytes, base64url: four of the time it began, twelve random. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The authorization request, as validated. Nothing is ever read again from a later URL. */
  readonly params: Readonly<Record<string, string>>;
  /** The remembered login of this browser when the flow began. */
  readonly session?: SessionSnapshot;
  /** The login may be skipped for `session`. */
  readonly skipLogin?: boolean;
  readonly login?: LoginDecision;
  /** A remembered consent covers the request. */
  readonly skipConsent?: boolean;
  readonly consent?: ConsentDecision;
  /** The request was rejected by the login app. */
  readonly rejection?: Rejection;
}

export interface SessionSnapshot {
  readonly sid: string;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly authTime: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

export interface LoginDecision {
  readonly subject: string;
  /** Seconds since 1970: when the person authenticated. */
  readonly authTime: number;
  readonly remember: boolean;
  /** Seconds; absent: the configured session lifetime. */
  readonly rememberFor?: number;
  readonly extendSession?: boolean;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly identityProviderSessionId?: string;
  /** Handed to the consent request as it is. */
  readonly context?: unknown;
}

export interface ConsentDecision {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly remember: boolean;
  /** Seconds; absent: for ever. */
  readonly rememberFor?: number;
  /** Seconds since 1970. */
  readonly handledAt: number;
  /** Extra claims of the ID token and of userinfo. */
  readonly idToken?: Readonly<Record<string, unknown>>;
  /** Extra members (`ext`) of introspection and of JWT access tokens. */
  readonly accessToken?: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
}

export interface Rejection {
  readonly error: string;
  readonly description?: string;
}
