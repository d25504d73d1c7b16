import { openConfiguredAccounts } from './assembly/accounts.ts';
import { createApi, createUserApi, withAudit } from './assembly/api.ts';
import type { Carnet, CreateProviderOptions } from './assembly/carnet.ts';
import { openClients } from './assembly/clients.ts';
import { type Foundation, openFoundation } from './assembly/foundation.ts';
import {
  createAdminListener,
  createHealth,
  createMetricsListener,
  createPublicListener,
} from './assembly/listeners.ts';
import { type CurrentOidc, createCurrentOidc } from './assembly/oidc.ts';
import { createReadiness } from './assembly/readiness.ts';
import { createSessionDeliveries } from './assembly/services.ts';
import type { ConfigInput } from './config/config-input.ts';
import type { Config } from './config/schema.ts';
import { connectHandler, koaMiddleware } from './http/public-handler.ts';
import { createWebHandler } from './http/web-handler.ts';

const assemble = async (base: Foundation): Promise<Carnet> => {
  const { adapter, config, secrets, shared, telemetry } = base;
  const { clients, checkConfigured } = openClients(base, () => oidc());
  const deliveries = createSessionDeliveries(base, clients);
  const accounts = await openConfiguredAccounts(base, createUserApi(base, { clients, deliveries }));
  const oidc: CurrentOidc = createCurrentOidc(base, { clients, secrets, deliveries, accounts });
  const parts = { clients, secrets, deliveries, accounts, oidc };
  await checkConfigured();
  const handler = createPublicListener(base, parts);
  const callback = connectHandler(handler);
  const ready = createReadiness(base, accounts);
  const health = createHealth(base, ready);
  const admin = createAdminListener(base, parts, ready);

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
      ...oidc().stats(),
      sweep: shared.sweepStats(),
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
