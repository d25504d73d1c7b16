import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import type { CookieJar } from '../flow/cookies.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { LogoutTokens } from '../flow/logout-tokens.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { BrowserMessage, BrowserPlace } from '../http/browser-place.ts';
import type { ReadClientCertificate } from '../http/client-certificate.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OidcOptions } from './oidc-options.ts';

/** The dependencies that `assembly/` passes in. */
export interface OidcDependencies extends Clock {
  readonly options: OidcOptions;
  readonly adapter: StorageAdapter;
  readonly undoneBy: UndoneBy;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly subjects: SubjectIdentifiers;
  readonly secrets: Pick<SecretVerifier, 'verify'>;
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
}
