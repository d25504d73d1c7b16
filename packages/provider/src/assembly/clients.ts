import { withClientLimit } from '../clients/client-limit.ts';
import type { ClientRecord, OpenResource } from '../clients/client-record.ts';
import { type ClientStore, createClientStore } from '../clients/client-store.ts';
import { warningsOf } from '../clients/client-warnings.ts';
import { configuredClients, withConfiguredClients } from '../clients/configured/clients.ts';
import type { Config } from '../config/schema.ts';
import { CarnetError, ConfigError } from '../errors.ts';
import { callerNetwork } from '../http/browser-place.ts';
import { discreetly } from '../registration/create-registration.ts';
import { createDocumentClients, withDocuments } from '../registration/documents/document-clients.ts';
import { createRegistrationPolicy, type RegistrationTerms, registrationTerms } from '../registration/policy.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { Foundation } from './foundation.ts';
import type { CurrentOidc } from './oidc.ts';

/** The resources (RFC 8707) of the configuration, with their scopes. */
const resourcesOf = ({ resources }: Config) =>
  resources.map(({ identifier, scope, clients }) => ({
    identifier,
    scopes: spaceDelimited(scope),
    isOpen: clients === 'all',
  }));

/** The terms for clients that describe themselves, by registration or by a metadata document. */
export const registrationTermsOf = (config: Config): RegistrationTerms =>
  registrationTerms(config.oidc.dynamicClientRegistration, resourcesOf(config));

/** The given clients and, if the configuration enables them, those whose id is the URL of their metadata document. */
const withDocumentClients = (
  { config, options, outbound, telemetry, logger, now }: Foundation,
  clients: ClientStore,
  { oidc, openResources }: { readonly oidc: CurrentOidc; readonly openResources: readonly OpenResource[] },
): ClientStore => {
  const { enabled, cacheMin: minSeconds, cacheMax: maxSeconds, ...bounds } = config.features.clientIdMetadataDocument;
  if (!enabled) return clients;
  const terms = registrationTermsOf(config);
  const documents = createDocumentClients({
    ...bounds,
    minSeconds,
    maxSeconds,
    terms,
    policy: createRegistrationPolicy(terms.limits, options.registrationPolicy),
    validateMetadata: discreetly((metadata) => oidc().validateClient({ id: metadata.client_id, metadata })),
    outbound,
    callerNetwork,
    openResources,
    audit: telemetry.audit,
    logger,
    now,
  });
  return withDocuments(clients, documents);
};

const nameOf = ({ id, metadata }: ClientRecord): string => `${metadata.configuration_key} of ${JSON.stringify(id)}`;

/** The clients of the store, of the configuration, and of metadata documents. */
export const openClients = (base: Foundation, oidc: CurrentOidc) => {
  const { config, clientAdapter: adapter, logger } = base;
  const { entries: maxEntries, seconds: staleSeconds } = config.clientCache;
  // Every client may request these. Without resource indicators, there are none.
  const openResources = config.features.resourceIndicators.enabled
    ? resourcesOf(config).filter(({ isOpen }) => isOpen)
    : [];
  const stored = withClientLimit(
    createClientStore({ adapter, maxEntries, staleSeconds, openResources }),
    base.options.maxClients,
  );
  const configured = configuredClients(config.clients, openResources);
  return {
    clients: withDocumentClients(base, withConfiguredClients(stored, configured), { oidc, openResources }),
    /**
     * Checks the clients of the configuration by the rules that depend on the enabled features. Logs a warning for each part
     * of one that has no effect.
     *
     * @throws ConfigError with the problem of every client that has one
     */
    checkConfigured: async (): Promise<void> => {
      const problems: string[] = [];
      for (const record of configured) {
        await oidc()
          .validateConfiguredClient(record)
          .catch((error: unknown) => {
            if (!(error instanceof CarnetError && error.code === 'invalid_client_metadata')) throw error;
            problems.push(`${nameOf(record)}: ${error.description.replace(/^Field /, '')}`);
          });
        for (const warning of warningsOf(record.metadata))
          logger.warn({ warning: `${nameOf(record)}: ${warning}` }, 'client');
      }
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
};
