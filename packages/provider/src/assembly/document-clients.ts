import { createClientBuilder } from '../clients/client-builder.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { callerNetwork } from '../http/browser-place.ts';
import { discreetly } from '../registration/create-registration.ts';
import { createDocumentClients, withDocuments } from '../registration/documents/document-clients.ts';
import { createRegistrationPolicy } from '../registration/policy.ts';
import type { Oidc } from './create-oidc.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';
import { openResourcesOf, registrationTermsOf } from './resources.ts';

/** The clients of the store and, if the configuration enables them, those whose id is the URL of their metadata document. */
export const withDocumentClients = (
  { config, options, telemetry, logger, now }: Foundation,
  clients: ClientStore,
  { outbound, oidc }: Pick<Parts, 'outbound'> & { readonly oidc: () => Pick<Oidc, 'validateClient'> },
): ClientStore => {
  const { enabled, cacheMin: minSeconds, cacheMax: maxSeconds, ...bounds } = config.features.clientIdMetadataDocument;
  if (!enabled) return clients;
  const terms = registrationTermsOf(config);
  const validateMetadata = discreetly((metadata) => oidc().validateClient({ id: metadata.client_id, metadata }));
  const documents = createDocumentClients({
    ...bounds,
    minSeconds,
    maxSeconds,
    terms,
    policy: createRegistrationPolicy(terms.limits, options.registrationPolicy),
    build: createClientBuilder({ validateMetadata, now }).build,
    outbound,
    callerNetwork,
    openResources: openResourcesOf(config),
    audit: telemetry.audit,
    logger,
    now,
  });
  return withDocuments(clients, documents);
};
