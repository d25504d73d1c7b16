import type { FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { RunHooks } from '../hooks/run-hooks.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { StoppedCommit } from '../storage/stopped-commit.ts';
import type { FindActiveToken } from '../tokens/active-token.ts';
import type { IdTokens } from '../tokens/id-token.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import type { Lifetimes } from '../tokens/lifetimes.ts';
import type { Resources } from '../tokens/resources.ts';

/** The rules of an authenticated client that grants apply. oidc-provider's client has these members. */
export interface TokenClient {
  /** Default of RFC 7591: `client_secret_basic`. `none`: a public client. */
  readonly clientAuthMethod?: string;
  /** Its tokens must be bound to a key (RFC 9449, section 5.2). */
  readonly dpopBoundAccessTokens?: boolean;
  /** Its tokens must be bound to a certificate (RFC 8705, section 3.4). */
  readonly tlsClientCertificateBoundAccessTokens?: boolean;
  grantTypeAllowed(grantType: string): boolean;
}

/** The parameters of a token request. An empty parameter is absent (RFC 6749, section 3.2). */
export interface TokenParameters {
  /** The value of a parameter that must not be repeated. */
  get(name: string): string | undefined;
  /** All values of a parameter that may be repeated, such as `resource` (RFC 8707, section 2). */
  all(name: string): readonly string[];
}

/** The keys of which a token request proves possession. */
export interface ProvenKeys {
  /** The thumbprint of the key of a verified DPoP proof (RFC 9449, section 6.1). */
  readonly jkt?: string;
  /** The thumbprint of the client certificate (RFC 8705, section 3.1). */
  certificate(): string | undefined;
}

/** The store, for one token request. */
export interface RequestStore {
  /** One round trip. */
  read(keys: readonly RecordKey[]): Promise<readonly (FoundRecord | undefined)[]>;
  /**
   * Commits the writes together with the single-use claims of the request's proofs (the `jti` of a client assertion or a
   * DPoP proof), which come first (D6).
   *
   * @throws {OAuthError} for a proof that was used before. Then none of the writes is carried out.
   */
  commit(writes: readonly Write[]): Promise<StoppedCommit | undefined> | undefined;
}

/** A token request whose client is authenticated, independent of the HTTP layer. */
export interface TokenRequest {
  readonly client: TokenClient;
  readonly record: ClientRecord;
  readonly parameters: TokenParameters;
  readonly keys: ProvenKeys;
  readonly store: RequestStore;
  /** The subject for the audit record. The grant sets it once it has found the user, so that refusals name it too. */
  readonly auditContext: { subject?: string };
}

/** A successful response of the token endpoint (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
export interface TokenResponse {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly id_token?: string;
  /** RFC 8693, section 2.2.1. */
  readonly issued_token_type?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly token_type: 'Bearer' | 'DPoP';
  /** RFC 9396, section 7. */
  readonly authorization_details?: readonly object[];
}

/** One grant type of the token endpoint. */
export interface Grant {
  /** The parameters it reads besides those of client authentication. */
  readonly parameters: readonly string[];
  /**
   * Issues tokens and commits their records, in one commit.
   *
   * @throws {OAuthError} for a request that is refused. Then no token is stored.
   * @throws {CarnetError} `storage_unavailable`
   */
  issue(request: TokenRequest): Promise<TokenResponse>;
}

interface Polled {
  readonly enabled: boolean;
  readonly pollingIntervalSeconds: number;
}

/** The dependencies of all grants. */
export interface GrantDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly ttl: Pick<Lifetimes, 'accessToken' | 'refreshToken' | 'authCode' | 'authenticationSession'>;
    readonly accessTokenStrategy: 'opaque' | 'jwt';
    /** How long a used refresh token is accepted again: its client may have lost the response. 0: never. */
    readonly refreshGraceSeconds: number;
    /** How many uses are accepted in that time after the first. */
    readonly refreshGraceReuseCount: number;
    readonly features: {
      readonly fapi: { readonly enabled: boolean };
      readonly device: Polled;
      readonly ciba: Polled;
      readonly jwtBearer: {
        readonly enabled: boolean;
        readonly maxAssertionSeconds: number;
        readonly iatOptional: boolean;
        readonly jtiOptional: boolean;
      };
      readonly tokenExchange: { readonly enabled: boolean };
    };
  };
  readonly adapter: Pick<StorageAdapter, 'capabilities' | 'list'>;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly signingKeys: SigningKeys;
  readonly envelope: Envelope;
  readonly keyRing: Pick<KeyRing, 'mac' | 'secretName' | 'secretNames'>;
  readonly redemptions: Redemptions;
  readonly scopeMatch: ScopeMatch;
  readonly resources: Resources;
  readonly hooks?: Pick<Hooks, 'tokenExchange'>;
  /** Undefined if there are no token hooks. */
  readonly runHooks: RunHooks | undefined;
  readonly findActiveToken: FindActiveToken;
  readonly issueAccessToken: IssueAccessToken;
  readonly idTokens: IdTokens;
  /** The audiences that an assertion may name (RFC 7523, section 3). */
  readonly grantAudiences: readonly string[];
}
