import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ScopeStrategy } from '../clients/scope-match.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { CookieJar } from '../flow/cookies.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { LogoutTokens } from '../flow/logout-tokens.ts';
import type { HooksConfig } from '../hooks/config.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { BrowserMessage, BrowserPlace } from '../http/browser-place.ts';
import type { ReadClientCertificate } from '../http/client-certificate.ts';
import type { SigningAlgorithm } from '../keys/signer.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { ResourceConfig } from '../library/config.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { AccessTokenClaimOptions, AccessTokenType } from '../tokens/access-token.ts';
import type { Lifetimes } from '../tokens/lifetimes.ts';

export interface OidcOptions {
  readonly issuer: string;
  readonly urls: {
    readonly login: string;
    /** The page for users without an account. Default: the login page. */
    readonly registration?: string;
    readonly consent: string;
    readonly logout?: string;
    readonly error?: string;
    readonly postLogoutRedirect?: string;
    readonly backchannelAuthentication?: string;
    readonly device: { readonly verification?: string; readonly success?: string };
  };
  readonly ttl: Lifetimes;
  readonly accessTokenStrategy: 'opaque' | 'jwt';
  readonly accessTokenType: AccessTokenType;
  readonly idTokenClaims: 'always' | 'requested';
  readonly pkceRequired: 'public' | 'always' | 'never';
  readonly scopeStrategy: ScopeStrategy;
  readonly refreshGraceSeconds: number;
  readonly refreshGraceReuseCount: number;
  readonly accessTokenClaims: AccessTokenClaimOptions;
  readonly resources: readonly ResourceConfig[];
  readonly hooks: HooksConfig;
  readonly idTokenAlg: SigningAlgorithm;
  /** Where clients register themselves, if they may. */
  readonly registrationEndpoint?: string;
  readonly subjectTypes: readonly ('public' | 'pairwise')[];
  /** Seconds that a logout page waits for the pages of clients. */
  readonly frontchannelSeconds: number;
  /** Whether the end of the TLS connection reports the verification of client certificates. */
  readonly certificatesAreVerified: boolean;
  readonly features: FeaturesConfig;
  /** Whether the fast path answers the requests that it supports. */
  readonly fastPath: boolean;
  readonly discovery: 'full' | 'hydra';
  readonly userinfo: 'standard' | 'hydra';
  /** Added to `claims_supported` of the discovery document. `supportedScopes` likewise. */
  readonly supportedClaims: readonly string[];
  /** Weakest first. */
  readonly supportedAcrValues: readonly string[];
  /** By client id: the classes of a remembered login that are sufficient. Absent: all. */
  readonly sufficientAcrs: ReadonlyMap<string, readonly string[]>;
  readonly supportedScopes: readonly string[];
}

/** The dependencies that `assembly/` passes in. */
export interface OidcDependencies {
  readonly options: OidcOptions;
  readonly adapter: StorageAdapter;
  readonly undoneBy: UndoneBy;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly subjects: SubjectIdentifiers;
  readonly secrets: Pick<SecretVerifier, 'verify' | 'isProven'>;
  readonly signingKeys: SigningKeys;
  readonly envelope: Envelope;
  readonly keyRing: KeyRing;
  readonly tokens: FlowTokens;
  readonly logoutTokens: LogoutTokens;
  readonly jar: CookieJar;
  readonly finished: FinishedFlows;
  readonly hooks?: Hooks;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly deliveries: Pick<Deliveries, 'announce'>;
  readonly clientCertificate: ReadClientCertificate;
  readonly placeOf: (message: BrowserMessage) => BrowserPlace;
  readonly logger: Logger;
  readonly audit: Audit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
