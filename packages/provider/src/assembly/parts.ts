import type { ClientStore } from '../clients/client-store.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { ConfiguredAccounts } from './accounts.ts';
import type { Oidc } from './create-oidc.ts';
import type { Flow } from './flow.ts';
import type { Readiness } from './readiness.ts';

/** The dependencies of several parts. Each part takes those that it needs. */
export interface Parts {
  readonly flow: Flow;
  readonly clients: ClientStore;
  readonly secrets: SecretVerifier;
  readonly outbound: OutboundClient;
  readonly deliveries: Deliveries;
  /** Undefined if another program checks users. */
  readonly accounts: ConfiguredAccounts | undefined;
  readonly oidc: Oidc;
  readonly ready: Readiness;
  readonly requestId: () => string;
}
