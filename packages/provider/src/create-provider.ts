import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenAdapter, StorageAdapter } from '@carnet/adapter-contract';
import { createAdminAuthorize } from './admin/authorize.ts';
import { healthRoutes } from './admin/health-routes.ts';
import { adminRoutes } from './admin/index.ts';
import { createClientStore } from './clients/client-store.ts';
import { createSecretVerifier } from './clients/secret-verifier.ts';
import { parseConfig } from './config/parse-config.ts';
import type { Config, ConfigInput } from './config/schema.ts';
import { ConfigError } from './errors.ts';
import { createCookieJar } from './flow/cookies.ts';
import { createEnvelope } from './flow/envelope.ts';
import { createFinishedFlows } from './flow/finished-flows.ts';
import { createFlowTokens } from './flow/flow-tokens.ts';
import { createKeyRing } from './flow/key-ring.ts';
import { createLogoutTokens } from './flow/logout-tokens.ts';
import { createPageTokens } from './flow/page-tokens.ts';
import { headlessRoutes } from './headless/index.ts';
import { hostAllowed, refuseHost } from './http/host.ts';
import { type ConnectHandler, createPublicHandler, koaMiddleware } from './http/public-handler.ts';
import { createRequestIds } from './http/request-id.ts';
import { createRouter } from './http/router.ts';
import { adminSecurityHeaders } from './http/security-headers.ts';
import { loadKeys } from './keys/load-keys.ts';
import { createSigningKeys } from './keys/signing-keys.ts';
import { createOidc, type Oidc } from './oidc/create-oidc.ts';
import { isProviderPath, metadataAliases } from './oidc/paths.ts';
import { guardAdapter } from './storage/guard.ts';
import { audit } from './telemetry/audit.ts';
import { createLogger, type Logger, requestLine } from './telemetry/logger.ts';
import { version } from './version.ts';

export interface CreateProviderOptions {
  /** The store; default: the one `storage.url` names, loaded by name. The caller closes what it hands in. */
  readonly adapter?: StorageAdapter;
  readonly logger?: Logger;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** An OpenID Provider, ready to be mounted. */
export interface Carnet {
  /** The public endpoints, for node:http and Express: other paths are left to `next`. */
  callback(): ConnectHandler;
  /** The same for Koa. */
  koa(): ReturnType<typeof koaMiddleware>;
  /** A listener of its own: the public endpoints, `/health/alive`, `/health/ready` and `/version`; otherwise 404. */
  standalone(): (req: IncomingMessage, res: ServerResponse) => void;
  /** The admin and headless API; keep it from the public. */
  adminCallback(): (req: IncomingMessage, res: ServerResponse) => void;
  /** Resolves when the store answers. */
  ready(): Promise<void>;
  /** Counted since the start. */
  stats(): { readonly clientReads: number; readonly clientParses: number; readonly clientInstantiations: number };
  close(): Promise<void>;
}

/** Which package serves a scheme. Loaded by name, so that only the chosen one has to be installed. */
const adapterPackages: Readonly<Record<string, string>> = {
  memory: '@carnet/adapter-memory',
  sqlite: '@carnet/adapter-sqlite',
  postgres: '@carnet/adapter-postgres',
  postgresql: '@carnet/adapter-postgres',
  redis: '@carnet/adapter-redis',
  rediss: '@carnet/adapter-redis',
  'redis-cluster': '@carnet/adapter-redis',
};

const openStorage = async (url: string): Promise<StorageAdapter> => {
  const scheme = url.split(':', 1)[0] ?? '';
  const name = adapterPackages[scheme];
  if (name === undefined) throw new ConfigError([`storage.url: there is no store for "${scheme}:".`]);
  let module: { openAdapter: OpenAdapter };
  try {
    module = (await import(name)) as typeof module;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError([`storage.url: the package ${name} is not installed. Install it, or choose another store.`]);
  }
  return module.openAdapter({ url });
};

/** Refuses what the store can't keep safe. */
const assertFits = ({ workers, storage }: Config, { capabilities }: StorageAdapter): void => {
  if (workers === 1 || capabilities.shared) return;
  const scheme = storage.url.split(':', 1)[0];
  throw new ConfigError([
    `workers: the store "${scheme}:" can't be shared by ${workers} processes. Use 1, or another store.`,
  ]);
};

const createFlow = (config: Config, adapter: StorageAdapter, now: () => number) => {
  const keyRing = createKeyRing({ issuer: config.issuer, secrets: config.secrets.system, now });
  const envelope = createEnvelope(keyRing);
  return {
    keyRing,
    envelope,
    tokens: createFlowTokens({ envelope, adapter, now }),
    logoutTokens: createLogoutTokens(envelope, now),
    jar: createCookieJar({ keys: keyRing, secure: config.issuer.startsWith('https:') }),
    finished: createFinishedFlows(config.ttl.loginConsentRequest),
  };
};

const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

/** What is not ready, by name. */
const readiness = async (ping: () => Promise<void>): Promise<Record<string, string>> => {
  try {
    await ping();
    return {};
  } catch {
    return { storage: 'The store does not answer.' };
  }
};

const createAdmin = (parts: AdminParts): Carnet['adminCallback'] => {
  const { config, oidc, requestId, logger, clients, flow, adapter, now } = parts;
  const routes = [
    ...headlessRoutes({ issuer: config.issuer, ...flow, clients, toWire: (record) => record.metadata, now }),
    ...adminRoutes({
      clients,
      validateMetadata: (metadata) => oidc.validateClient({ id: metadata.client_id, metadata }),
      bcryptCost: config.clients.bcryptCost,
      pageTokens: createPageTokens(flow.envelope),
      introspect: oidc.introspect,
      ready: () => readiness(() => adapter.ping()),
      version,
    }),
  ];
  const handle = createRouter({
    routes,
    authorize: createAdminAuthorize({ token: config.admin.token }),
    responseHeaders: adminSecurityHeaders,
    requestId,
    alsoWithoutAdminPrefix: true,
    onAnswer: ({ error, ...answer }) => {
      if (error !== undefined && answer.status >= 500) logger.error({ err: error }, 'request failed');
      logger.info(requestLine({ ...answer, route: answer.route ?? '(unknown)' }), 'request');
    },
  });
  // A bearer token is proof enough; without one the Host header is what keeps web pages of other names out.
  const isAllowed =
    config.admin.token === undefined
      ? hostAllowed(['127.0.0.1:*', 'localhost:*', '[::1]:*', ...config.admin.allowedHosts])
      : () => true;
  return () => (req, res) => (isAllowed(req) ? void handle(req, res) : refuseHost(res));
};

interface AdminParts extends ListenerParts {
  readonly clients: ReturnType<typeof createClientStore>;
  readonly flow: ReturnType<typeof createFlow>;
  readonly adapter: StorageAdapter;
  readonly now: () => number;
}

interface ListenerParts {
  readonly config: Config;
  readonly oidc: Oidc;
  readonly requestId: ReturnType<typeof createRequestIds>;
  readonly logger: Logger;
}

const createPublic = ({ config, oidc, requestId, logger }: ListenerParts): ConnectHandler => {
  const basePath = basePathOf(config.issuer);
  return createPublicHandler({
    basePath,
    isOurs: isProviderPath,
    aliases: metadataAliases(basePath),
    isAllowedHost: hostAllowed([new URL(config.issuer).host, ...config.http.allowedHosts]),
    requestId,
    handle: oidc.handle,
    onAnswer: ({ path, ...answer }) => logger.info(requestLine({ ...answer, route: path }), 'request'),
  });
};

/**
 * Builds an OpenID Provider from its configuration.
 *
 * @throws ConfigError with every problem at once; CarnetError `storage_unavailable` when the store can't be opened.
 */
export const createProvider = async (
  input: ConfigInput | Config,
  options: CreateProviderOptions = {},
): Promise<Carnet> => {
  const config = parseConfig(input as ConfigInput);
  const { now = Date.now, logger = createLogger(config.log) } = options;
  const { signers, warnings } = loadKeys(config.keys);
  for (const warning of warnings) logger.warn(warning);
  const opened = options.adapter ?? (await openStorage(config.storage.url));
  assertFits(config, opened);
  const adapter = guardAdapter(opened);
  const flow = createFlow(config, adapter, now);
  const clients = createClientStore({
    adapter,
    maxEntries: config.clients.cacheEntries,
    staleSeconds: config.clients.cacheSeconds,
  });
  const secrets = createSecretVerifier({ maxPending: config.clients.maxPendingVerifications });
  const oidc = createOidc({
    options: {
      issuer: config.issuer,
      urls: config.urls,
      ttl: config.ttl,
      accessTokenStrategy: config.tokens.accessTokenStrategy,
      refreshGraceSeconds: config.tokens.refreshGraceSeconds,
      idTokenAlg: config.keys.idTokenAlg,
    },
    adapter,
    clients,
    verifySecret: secrets.verify,
    signingKeys: createSigningKeys(signers),
    logger,
    audit: audit(logger),
    now,
    ...flow,
  });
  const requestId = createRequestIds();
  const adminCallback = createAdmin({ config, clients, oidc, flow, adapter, requestId, logger, now });
  const callback = createPublic({ config, oidc, requestId, logger });
  // Asked by probes, which know an address and no host name: unlike the endpoints, these answer whatever the Host is.
  const health = createRouter({
    routes: healthRoutes({ ready: () => readiness(() => adapter.ping()), version }),
    requestId,
  });

  return {
    callback: () => callback,
    koa: () => koaMiddleware(callback),
    standalone: () => (req, res) => callback(req, res, () => void health(req, res)),
    adminCallback,
    ready: () => adapter.ping(),
    stats: () => ({ clientReads: clients.stats().reads, clientParses: clients.stats().parses, ...oidc.stats() }),
    close: async () => {
      if (options.adapter === undefined) await adapter.close();
    },
  };
};
