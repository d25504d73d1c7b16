import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ClientStore } from '../clients/client-store.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { Clock } from '../clock.ts';
import type { CookieJar } from '../flow/cookies.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { LogoutTokens } from '../flow/logout-tokens.ts';
import type { PushedRequests } from '../flow/pushed-requests.ts';
import type { Grant } from '../grants/grant.ts';
import type { BrowserMessage, BrowserPlace } from '../http/browser-place.ts';
import type { Respond, ResponseModes } from '../interaction/authorization-response.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { Ask } from '../library/ask.ts';
import type { ProviderClients } from '../library/clients.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import type { Paths } from '../library/paths.ts';
import type { ProveKeys } from '../library/proven-keys.ts';
import type { FetchRequestObject } from '../library/request-by-reference.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { FindActiveToken } from '../tokens/active-token.ts';
import type { CreateClientJwt } from '../tokens/client-jwt.ts';
import type { FindRevocation } from '../tokens/manage-tokens.ts';
import type { Resources } from '../tokens/resources.ts';
import type { UserinfoClaims } from '../tokens/userinfo-claims.ts';

/** The parts of a provider that its public endpoints use. Each endpoint takes those that it needs. */
export interface EndpointDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly urls: {
      readonly error?: string;
      readonly logout?: string;
      readonly postLogoutRedirect?: string;
      readonly backchannelAuthentication?: string;
      readonly device: { readonly verification?: string };
    };
    /** Seconds. */
    readonly ttl: { readonly loginConsentRequest: number; readonly deviceUserCode: number };
    /** Seconds that a logout page waits for the pages of clients. */
    readonly frontchannelSeconds: number;
    readonly pkceRequired: 'public' | 'always' | 'never';
    readonly features: FeaturesConfig;
  };
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly undoneBy: UndoneBy;
  readonly paths: Pick<Paths, 'endpoints' | 'endpointAt' | 'isForBrowsers'>;
  /** The metadata of the provider (RFC 8414), and its public keys (RFC 7517). */
  readonly documents: { readonly metadata: object; readonly publicKeys: object };
  readonly clients: Pick<ClientStore, 'find'>;
  readonly clientOf: ProviderClients['of'];
  readonly ask: Ask;
  readonly secrets: Pick<SecretVerifier, 'verify'>;
  readonly proveKeys: ProveKeys;
  /** The algorithms of DPoP proofs, which challenges name (RFC 9449, section 7.1). */
  readonly proofAlgorithms: readonly string[];
  /** Response types beside `code`, the values of each in alphabetical order. */
  readonly responseTypes: ReadonlySet<string>;
  readonly responseModes: ResponseModes;
  readonly respond: Respond;
  readonly engine: FlowEngine;
  readonly jar: CookieJar;
  readonly envelope: Envelope;
  readonly tokens: FlowTokens;
  readonly logoutTokens: LogoutTokens;
  readonly pushedRequests: PushedRequests;
  readonly fetchRequestObject: FetchRequestObject;
  /** By grant type. */
  readonly grants: Readonly<Record<string, Grant>>;
  readonly scopeMatch: ScopeMatch;
  readonly resources: Resources;
  readonly signingKeys: SigningKeys;
  readonly findActiveToken: FindActiveToken;
  readonly findRevocation: FindRevocation;
  readonly userinfoClaims: UserinfoClaims;
  readonly createClientJwt: CreateClientJwt;
  readonly deliveries: Pick<Deliveries, 'announce'>;
  readonly outbound: Pick<OutboundClient, 'send'>;
  /** The place of a device, which the user is shown. */
  readonly placeOf: (message: BrowserMessage) => BrowserPlace;
  readonly logger: Logger;
  readonly audit: Audit;
}
