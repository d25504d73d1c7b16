import type { ClientRecord } from '../clients/client-record.ts';
import type { KeptRequest } from '../flow/kept-request.ts';

/** What a person has consented to: a grant whose tokens may live, or a consent that is remembered beyond them. */
export interface ConsentSession {
  readonly consentRequestId: string;
  readonly client: ClientRecord;
  readonly subject: string;
  readonly sid: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly requestedScopes: readonly string[];
  readonly requestedAudience: readonly string[];
  /** Seconds since 1970. */
  readonly handledAt: number;
  readonly skip: boolean;
  /** Seconds, 0: for ever; absent: it was not remembered. */
  readonly rememberFor?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly context?: unknown;
  /** Absent where an earlier version stored the consent. */
  readonly request?: KeptRequest;
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly accessToken?: Readonly<Record<string, unknown>>;
}

export interface ConsentQuery {
  readonly subject: string;
  /** Only those of this login. Then a page may be short, or empty. */
  readonly sid?: string;
  readonly limit: number;
  readonly after?: string;
}

export interface Consents {
  list(query: ConsentQuery): Promise<{ readonly sessions: readonly ConsentSession[]; readonly next?: string }>;
  /** Takes back what a person has granted to one client, or to all: the grants with their tokens, and what is remembered. */
  revoke(subject: string, clientId?: string): Promise<void>;
  revokeRequest(consentRequestId: string): Promise<void>;
}
