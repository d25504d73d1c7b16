import { openConfiguredAccounts } from './assembly/accounts.ts';
import { createAdminListener, createMetricsListener } from './assembly/admin-listener.ts';
import { createApi, createUserApi, withAudit } from './assembly/api.ts';
import type { Carnet, CreateProviderOptions } from './assembly/carnet.ts';
import { checkConfiguredClients } from './assembly/configured-clients.ts';
import type { Oidc } from './assembly/create-oidc.ts';
import { withDocumentClients } from './assembly/document-clients.ts';
import { createFlow } from './assembly/flow.ts';
import { type Foundation, openFoundation } from './assembly/foundation.ts';
import { createConfiguredOidc } from './assembly/oidc.ts';
import { createHealth, createPublicListener } from './assembly/public-listener.ts';
import { createReadiness } from './assembly/readiness.ts';
import { openResourcesOf } from './assembly/resources.ts';
import { createOutbound, createSessionDeliveries, startSweeper } from './assembly/services.ts';
import { createClientStore } from './clients/client-store.ts';
import { configuredClients, withConfiguredClients } from './clients/configured/clients.ts';
import { createSecretVerifier } from './clients/secret-verifier.ts';
import type { ConfigInput } from './config/config-input.ts';
import type { Config } from './config/schema.ts';
import { connectHandler, koaMiddleware } from './http/public-handler.ts';
import { createRequestIds } from './http/request-id.ts';
import { createWebHandler } from './http/web-handler.ts';

const assemble = async (base: Foundation): Promise<Carnet> => {
  const { config, adapter, clientAdapter, telemetry } = base;
  const { entries: maxEntries, seconds: staleSeconds } = config.clientCache;
  const requestId = createRequestIds();
  const flow = createFlow(base);
  const openResources = openResourcesOf(config);
  const stored = createClientStore({ adapter: clientAdapter, maxEntries, staleSeconds, openResources });
  const secrets = createSecretVerifier({ maxPending: config.clientSecrets.maxPendingVerifications });
  const outbound = createOutbound(base);
  base.onClose(outbound.close);
  const configured = configuredClients(config.clients, openResources);
  const known = withConfiguredClients(stored, configured);
  const clients = withDocumentClients(base, known, { outbound, oidc: () => oidc });
  const deliveries = createSessionDeliveries(base, { clients, outbound });
  base.onClose(deliveries.stop);
  const accounts = await openConfiguredAccounts(base, createUserApi(base, { clients, deliveries }));
  const oidc: Oidc = createConfiguredOidc(base, { flow, clients, secrets, outbound, deliveries, accounts });
  await checkConfiguredClients(configured, { oidc, logger: base.logger });
  const handler = createPublicListener(base, { clients, oidc, secrets, requestId });
  const callback = connectHandler(handler);
  const ready = createReadiness(base, accounts);
  const health = createHealth({ ready, requestId });
  const parts = { flow, clients, outbound, deliveries, accounts, oidc };
  const admin = createAdminListener(base, { ...parts, ready, requestId });
  const sweeper = startSweeper(base);
  base.onClose(sweeper.stop);

  return {
    callback: () => callback,
    koa: () => koaMiddleware(callback),
    fetch: createWebHandler(handler, { mtls: config.features.mtls, http: config.http }),
    standalone: () => (req, res) => callback(req, res, () => void health(req, res)),
    adminCallback: () => admin,
    metricsCallback: () => createMetricsListener(base),
    ...withAudit(createApi(base, parts), telemetry.audit),
    ready: () => adapter.ping(),
    metrics: telemetry.metrics.snapshot,
    purgeUserCache: async (which) => accounts?.purge(which) ?? 0,
    stats: () => ({
      clientReads: clients.stats().reads,
      clientParses: clients.stats().parses,
      ...oidc.stats(),
      sweep: sweeper.stats(),
    }),
    close: base.close,
  };
};

/**
 * Builds an OpenID Provider from its configuration.
 *
 * @throws ConfigError with every problem at once, a store that can't be used as it is among them; CarnetError
 * `storage_unavailable` when a store does not answer. Postgres is connected to when it is first asked something, at start
 * if the signing keys are there: `ready` says whether it is.
 */
export const createProvider = async (
  input: ConfigInput | Config,
  options: CreateProviderOptions = {},
): Promise<Carnet> => {
  let carnet: Carnet | undefined;
  const base = await openFoundation(input, options, () => carnet?.stats());
  try {
    carnet = await assemble(base);
    return carnet;
  } catch (error) {
    await base.close();
    throw error;
  }
};
