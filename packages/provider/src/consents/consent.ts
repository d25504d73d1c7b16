import type { OAuth2Client } from '../clients/client-record.ts';
import type { OidcContext } from '../flow/oidc-context.ts';
import type { Page, PageQuery } from '../storage/page.ts';

/** A consent of a user: an effective grant, or a consent that is remembered longer than its grant. */
export interface Consent {
  readonly consentRequestId: string;
  readonly client: OAuth2Client;
  readonly subject: string;
  /** The `sid` of the session. */
  readonly sessionId: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly requestedScopes: readonly string[];
  readonly requestedAudience: readonly string[];
  readonly handledAt: Date;
  /** Whether a remembered consent answered the request. */
  readonly skip: boolean;
  /** Seconds. 0: until it is revoked. Absent: it is not remembered. */
  readonly rememberFor?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  /** The `context` of the accepted consent. */
  readonly context?: unknown;
  readonly claims: {
    readonly idToken?: Readonly<Record<string, unknown>>;
    readonly accessToken?: Readonly<Record<string, unknown>>;
  };
  /** The authorization request. Absent if an earlier version stored the consent. */
  readonly request?: {
    readonly loginRequestId: string;
    readonly oidcContext: OidcContext;
    /** Without `id_token_hint`. */
    readonly requestUrl: string;
    /** The `context` of the accepted login. */
    readonly context?: unknown;
  };
}

export interface ConsentQuery extends PageQuery {
  readonly subject: string;
  /** Only consents of this session. Pages may then be short or empty. */
  readonly sessionId?: string;
}

/** Which consents to revoke: those of a user to one client or to all clients, or a single one. */
export type ConsentSelection =
  | { readonly subject: string; readonly clientId: string }
  | { readonly subject: string; readonly all: true }
  | { readonly consentRequestId: string };

/** The consents of users. */
export interface Consents {
  /** Lists the consents of a user. */
  list(query: ConsentQuery): Promise<Page<Consent>>;
  /**
   * Revokes consents, with the grants and tokens that depend on them.
   *
   * @throws CarnetError `invalid_request` for a subject that begins or ends with white space
   * @example
   * await carnet.consents.revoke({ subject: user.id, clientId: 'shop' });
   */
  revoke(which: ConsentSelection): Promise<void>;
}
