import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StorageAdapter, Swept } from '@carnet/adapter-contract';
import { createAdminAuthorize } from './admin/authorize.ts';
import { type HealthDependencies, healthRoutes } from './admin/health-routes.ts';
import { adminRoutes } from './admin/index.ts';
import type { KeyDependencies } from './admin/key-routes.ts';
import { withOpenApi } from './admin/openapi-route.ts';
import type { SessionDependencies } from './admin/session-routes.ts';
import { createClientStore } from './clients/client-store.ts';
import { scopeMatches } from './clients/scope-match.ts';
import { createSecretVerifier } from './clients/secret-verifier.ts';
import { createSingleFlight } from './clients/single-flight.ts';
import { createSubjectIdentifiers } from './clients/subject-identifiers.ts';
import { parseConfig } from './config/parse-config.ts';
import type { Config, ConfigInput } from './config/schema.ts';
import { createCookieJar } from './flow/cookies.ts';
import { createEnvelope } from './flow/envelope.ts';
import { createFinishedFlows } from './flow/finished-flows.ts';
import { createFlowTokens } from './flow/flow-tokens.ts';
import { createKeyRing } from './flow/key-ring.ts';
import { createLogoutTokens } from './flow/logout-tokens.ts';
import { createPageTokens } from './flow/page-tokens.ts';
import { createRedemptions } from './flow/redemptions.ts';
import { headlessRoutes } from './headless/index.ts';
import { createClientCertificates } from './http/client-certificate.ts';
import { hostAllowed, refuseHost } from './http/host.ts';
import { type ConnectHandler, createPublicHandler, koaMiddleware } from './http/public-handler.ts';
import { createRequestIds } from './http/request-id.ts';
import { createRouter, type NodeHandler } from './http/router.ts';
import { adminSecurityHeaders } from './http/security-headers.ts';
import { createKeySets } from './keys/key-sets.ts';
import { createManagedKeys } from './keys/managed-keys.ts';
import { openSigningKeySource, type SigningKeySource } from './keys/signing-key-source.ts';
import { createVault, type Vault } from './keys/vault.ts';
import { createConsents } from './oidc/consents.ts';
import type { Oidc } from './oidc/create-oidc.ts';
import type { Hooks } from './oidc/hooks/hook.ts';
import { metadataAliases } from './oidc/paths.ts';
import { createRenewableOidc } from './oidc/renewable-oidc.ts';
import { createOutboundClient, type OutboundClient } from './outbound/outbound-client.ts';
import { createRegistration, registrationUriOf } from './registration/create-registration.ts';
import type { RegistrationHook } from './registration/policy.ts';
import { registrationRouteOf } from './registration/registration-handler.ts';
import { registrationPath } from './registration/registration-routes.ts';
import { createDeliveries, type EndedSession } from './sessions/deliveries.ts';
import { createLogoutTokenSigner } from './sessions/logout-token.ts';
import { createSessionRevocation } from './sessions/revoke-sessions.ts';
import { composeStores, createUndoneBy, type UndoneBy } from './storage/compose.ts';
import { assertFits } from './storage/fitness.ts';
import { guardAdapter, remedyIn } from './storage/guard.ts';
import { migrateAtStart } from './storage/migrate.ts';
import { observeAdapter } from './storage/observe.ts';
import { openStores } from './storage/open-storage.ts';
import { startSweeping } from './storage/sweep.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { contentType, type MetricsSnapshot, renderMetrics } from './telemetry/metrics.ts';
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts';
import { openTracing } from './telemetry/tracing.ts';
import { createTrustedIssuers, type TrustedIssuers } from './trust/trusted-issuers.ts';
import { version } from './version.ts';

export interface CreateProviderOptions {
  /** Stands for `storage.default`; otherwise what that names is loaded and opened. The caller closes what it hands in. */
  readonly adapter?: StorageAdapter;
  readonly logger?: Logger;
  /** Asked before a client registers or changes itself: why it may not, or nothing. */
  readonly registrationPolicy?: RegistrationHook;
  /**
   * Called when a session has ended, by one process for each: to end what hangs on it elsewhere. Not called should that
   * process end in between. What it throws is logged.
   */
  readonly onSessionEnd?: (session: EndedSession) => void | Promise<void>;
  /** Asked at the token endpoint; they may change what tokens say, or deny them. */
  readonly hooks?: Hooks;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Asks every process that serves, this one among them, for its `metrics()`. Default: this one alone. `carnet serve --workers`
   * does this by itself.
   */
  readonly gatherMetrics?: () => Promise<readonly MetricsSnapshot[]>;
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
  /** What this process has measured, for `gatherMetrics` of another; plain data. */
  metrics(): Promise<MetricsSnapshot>;
  /** Counted since the start. */
  stats(): ProviderStats;
  close(): Promise<void>;
}

/** What a process has done since its start. */
export interface ProviderStats {
  readonly clientReads: number;
  readonly clientParses: number;
  readonly clientInstantiations: number;
  /** Expired records that this process removed, and what was left after its last sweep. */
  readonly sweep: Swept;
}

const createFlow = (config: Config, adapter: StorageAdapter, now: () => number) => {
  const keyRing = createKeyRing({ issuer: config.issuer, secrets: config.secrets.system, now });
  const envelope = createEnvelope(keyRing);
  return {
    keyRing,
    envelope,
    tokens: createFlowTokens({ envelope, adapter, now }),
    logoutTokens: createLogoutTokens(envelope, now),
    jar: createCookieJar({ keys: keyRing, issuer: config.issuer }),
    finished: createFinishedFlows(config.ttl.loginConsentRequest),
  };
};

const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

type Ready = HealthDependencies['ready'];

/**
 * What is not ready, by name. What to do about it may name files and settings: that is for administrators. However many
 * ask at once, the store is asked once.
 */
const createReadiness = (
  adapter: StorageAdapter,
  logger: Logger,
): { readonly admin: Ready; readonly public: Ready } => {
  const ping = createSingleFlight(async () => {
    try {
      await adapter.ping();
      return undefined;
    } catch (err) {
      logger.warn({ err }, 'not ready');
      const remedy = remedyIn(err);
      return remedy === undefined
        ? { brief: 'The store does not answer.', remedy: 'The store does not answer.' }
        : { brief: 'The store is not fit for use. The admin listener and the log say what to do.', remedy };
    }
  });
  const answer = async (text: 'brief' | 'remedy'): Promise<Readonly<Record<string, string>>> => {
    const problem = await ping.running('storage');
    return problem === undefined ? {} : { storage: problem[text] };
  };
  return { admin: () => answer('remedy'), public: () => answer('brief') };
};

const createAdmin = (parts: AdminParts): Carnet['adminCallback'] => {
  const {
    config,
    oidc,
    requestId,
    telemetry,
    clients,
    trustedIssuers,
    flow,
    ready,
    keys,
    renderMetrics,
    adapter,
    outbound,
    now,
  } = parts;
  const scopeMatch = scopeMatches[config.tokens.scopeStrategy];
  const routes = [
    ...headlessRoutes({
      issuer: config.issuer,
      ...flow,
      clients,
      scopeMatch,
      detailTypes: config.features.rar.enabled ? config.features.rar.types : {},
      toWire: (record) => record.metadata,
      backchannel: config.features.ciba.enabled ? { adapter, outbound, audit: telemetry.audit } : undefined,
      device: config.features.device.enabled
        ? { ...config.features.device, adapter, audit: telemetry.audit }
        : undefined,
      now,
    }),
    ...adminRoutes({
      clients,
      adapter,
      now,
      registrationUri: registrationUriOf(config.issuer),
      validateMetadata: (metadata) => oidc.validateClient({ id: metadata.client_id, metadata }),
      bcryptCost: config.clients.bcryptCost,
      pageTokens: createPageTokens(flow.envelope),
      introspect: oidc.introspect,
      ...parts.access,
      ...keys,
      trustedIssuers,
      clock: now,
      ready: ready.admin,
      renderMetrics,
      version,
    }),
  ];
  const handle = createRouter({
    routes: withOpenApi(routes, version),
    authorize: createAdminAuthorize({ token: config.admin.token }),
    responseHeaders: adminSecurityHeaders,
    requestId,
    alsoWithoutAdminPrefix: true,
    around: ({ method, headers }, route, answer) =>
      telemetry.serve({ method, route, headers }, answer, ({ status }) => status),
    onAnswer: ({ audit: action, params, ...answer }) => {
      telemetry.answered('admin', answer);
      if (action === undefined) return;
      const outcome = answer.status < 400 ? 'success' : 'denied';
      const { id: clientId } = action.startsWith('client.') ? params : {};
      const { set: keySet, kid } = action.startsWith('key.') ? params : {};
      telemetry.audit({ action, outcome, byAdmin: true, clientId, keySet, kid, requestId: answer.requestId });
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
  readonly trustedIssuers: TrustedIssuers;
  readonly flow: ReturnType<typeof createFlow>;
  readonly ready: { readonly admin: Ready };
  readonly keys: KeyDependencies;
  readonly access: Pick<SessionDependencies, 'sessions' | 'consents'>;
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly adapter: StorageAdapter;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly now: () => number;
}

interface ListenerParts {
  readonly config: Config;
  readonly oidc: Oidc;
  readonly requestId: ReturnType<typeof createRequestIds>;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** The issuer's host, and that of the endpoints that ask for certificates. */
const publicHosts = ({ issuer, features }: Config): readonly string[] =>
  [issuer, features.mtls.baseUrl].filter((url) => url !== undefined).map((url) => new URL(url).host);

const createPublic = (
  { config, oidc, requestId, telemetry, logger }: ListenerParts,
  registration: NodeHandler,
): ConnectHandler => {
  const basePath = basePathOf(config.issuer);
  return createPublicHandler({
    basePath,
    routeOf: (path) => registrationRouteOf(path) ?? oidc.routeOf(path),
    aliases: metadataAliases(basePath),
    isAllowedHost: hostAllowed([...publicHosts(config), ...config.http.allowedHosts]),
    requestId,
    handle: (req, res, route) =>
      telemetry.serve(
        { method: req.method ?? 'GET', route, headers: req.headers },
        () => (route.startsWith(registrationPath) ? registration(req, res) : oidc.handle(req, res)),
        () => res.statusCode,
      ),
    onAnswer: (answer) => telemetry.answered('public', answer),
    onError: (err, requestId) => logger.error({ err, requestId }, 'request failed'),
  });
};

/** A program that brings its own store need not name one. */
const withOwnStorage = (input: ConfigInput): ConfigInput => ({
  ...input,
  storage: { ...input.storage, default: 'adapter:' },
});

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
  const config = parseConfig(options.adapter ? withOwnStorage(input) : input);
  const { now = Date.now, logger = createLogger(config.log) } = options;
  if (config.storage.migrate) {
    const migrations = await migrateAtStart(config.storage, config.dev);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated');
  }
  const { stores, close } = await openStores(config.storage, options.adapter);
  let signingKeys: SigningKeySource | undefined;
  let carnet: Carnet | undefined;
  try {
    assertFits(stores, config);
    const telemetry = createTelemetry({ logger, tracing: await openTracing(), readings: () => carnet?.stats() });
    const adapter = guardAdapter(observeAdapter(composeStores(stores), telemetry.store));
    const clientAdapter = guardAdapter(observeAdapter(stores.clients, telemetry.store));
    const vault = createVault(config.secrets.system);
    signingKeys = await openSigningKeys({ config, logger, now, vault, adapter });
    const undoneBy = createUndoneBy(stores);
    const parts = {
      config,
      options,
      logger,
      now,
      telemetry,
      vault,
      signingKeys,
      adapter,
      undoneBy,
      clientAdapter,
      close,
    };
    carnet = assemble(parts);
    return carnet;
  } catch (error) {
    signingKeys?.stop();
    await close();
    throw error;
  }
};

const openSigningKeys = async (
  parts: Pick<Parts, 'config' | 'logger' | 'now' | 'vault' | 'adapter'>,
): Promise<SigningKeySource> => {
  const { config, logger, ...deps } = parts;
  const source = await openSigningKeySource({
    ...deps,
    config: config.keys,
    report: (event) => {
      if ('error' in event) logger.warn({ err: event.error }, 'the signing keys could not be looked at');
      else logger.info(event, 'signing keys');
    },
  });
  for (const warning of source.warnings) logger.warn(warning);
  return source;
};

interface Parts {
  readonly config: Config;
  readonly options: CreateProviderOptions;
  readonly logger: Logger;
  readonly now: () => number;
  readonly telemetry: Telemetry;
  /** Seals what is kept of keys. */
  readonly vault: Vault;
  readonly signingKeys: SigningKeySource;
  readonly adapter: StorageAdapter;
  readonly undoneBy: UndoneBy;
  /** The store of the clients alone: how long they may be cached depends on who else writes to it. */
  readonly clientAdapter: StorageAdapter;
  readonly close: () => Promise<void>;
}

const assemble = (parts: Parts): Carnet => {
  const { config, options, logger, now, telemetry, vault, signingKeys, adapter, undoneBy, clientAdapter, close } =
    parts;
  const flow = createFlow(config, adapter, now);
  const clients = createClientStore({
    adapter: clientAdapter,
    maxEntries: config.clients.cacheEntries,
    staleSeconds: config.clients.cacheSeconds,
  });
  const trustedIssuers = createTrustedIssuers(adapter);
  const secrets = createSecretVerifier({ maxPending: config.clients.maxPendingVerifications });
  const outbound = createOutboundClient({
    ...config.outbound,
    allowLoopback: config.dev,
    report: (outcome) => {
      const { purpose, durationMs, result } = outcome;
      telemetry.metrics.outbound(purpose, durationMs, typeof result === 'string' ? result : undefined);
      logger.info({ outbound: outcome }, 'outbound request');
    },
  });
  const deliveries = createDeliveries({
    adapter,
    clients,
    outbound,
    sign: createLogoutTokenSigner({
      issuer: config.issuer,
      alg: config.keys.idTokenAlg,
      keys: () => signingKeys.current(),
      now,
    }),
    onSessionEnd: options.onSessionEnd,
    retries: config.logout.backchannelRetries,
    pollSeconds: config.logout.backchannelPollSeconds,
    timeoutMs: config.outbound.timeoutMs,
    logger,
    audit: telemetry.audit,
    now,
  });
  const oidc = createRenewableOidc({
    options: {
      issuer: config.issuer,
      urls: config.urls,
      ttl: config.ttl,
      accessTokenStrategy: config.tokens.accessTokenStrategy,
      idTokenClaims: config.tokens.idTokenClaims,
      pkceRequired: config.pkce.required,
      scopeStrategy: config.tokens.scopeStrategy,
      refreshGraceSeconds: config.tokens.refreshGraceSeconds,
      refreshGraceReuseCount: config.tokens.refreshGraceReuseCount,
      accessTokenClaims: {
        scopeClaim: config.tokens.scopeClaim,
        allowedTopLevel: config.tokens.allowedTopLevelClaims,
        mirrorTopLevel: config.tokens.mirrorTopLevelClaims,
        excludeNotBefore: config.tokens.excludeNotBeforeClaim,
      },
      resources: config.resources,
      hooks: config.hooks,
      idTokenAlg: config.keys.idTokenAlg,
      registrationEndpoint: config.oidc.dynamicClientRegistration.enabled
        ? config.issuer + registrationPath
        : undefined,
      subjectTypes: config.oidc.subjectIdentifiers.supportedTypes,
      frontchannelSeconds: config.logout.frontchannelSeconds,
      features: config.features,
      discovery: config.oidc.discovery,
      certificatesAreVerified:
        config.http.clientCertificateHeader === undefined || config.http.clientVerifiedHeader !== undefined,
    },
    adapter,
    undoneBy,
    clients,
    subjects: createSubjectIdentifiers({ ...config.oidc.subjectIdentifiers, outbound }),
    verifySecret: secrets.verify,
    signingKeys,
    clientCertificate: createClientCertificates(config.http),
    outbound,
    hooks: options.hooks,
    deliveries,
    logger,
    audit: telemetry.audit,
    now,
    ...flow,
  });
  const requestId = createRequestIds();
  const ready = createReadiness(adapter, logger);
  const keys = { keySets: createKeySets({ adapter, vault, now }), managedKeys: createManagedKeys(signingKeys) };
  const { gatherMetrics = async () => [await telemetry.metrics.snapshot()] } = options;
  const adminCallback = createAdmin({
    config,
    clients,
    trustedIssuers,
    oidc,
    flow,
    ready,
    keys,
    adapter,
    outbound,
    access: {
      sessions: createSessionRevocation({ adapter, deliveries, now }),
      consents: createConsents({ adapter, clients, redemptions: createRedemptions({ ttl: config.ttl, now }) }),
    },
    requestId,
    telemetry,
    logger,
    renderMetrics: async () => ({ contentType, text: await renderMetrics(await gatherMetrics()) }),
    now,
  });
  const registration = createRegistration({
    config: config.oidc.dynamicClientRegistration,
    issuer: config.issuer,
    adapter,
    clients,
    validateMetadata: (metadata) => oidc.validateClient({ id: metadata.client_id, metadata }),
    verifySecret: secrets.verify,
    hook: options.registrationPolicy,
    audit: telemetry.audit,
    requestId,
    onError: (err, id) => logger.error({ err, requestId: id }, 'request failed'),
    now,
  });
  const callback = createPublic({ config, oidc, requestId, telemetry, logger }, registration);
  // Asked by probes, which know an address and no host name: unlike the endpoints, these answer whatever the Host is.
  const health = createRouter({
    routes: healthRoutes({ ready: ready.public, version }),
    requestId,
  });

  const sweeper = startSweeping(adapter, {
    intervalSeconds: config.storage.sweepSeconds,
    report: (outcome) => {
      if ('error' in outcome) logger.warn({ err: outcome.error }, 'sweep failed');
      else if (outcome.removed > 0) logger.info(outcome, 'sweep');
    },
  });

  const stats = (): ProviderStats => ({
    clientReads: clients.stats().reads,
    clientParses: clients.stats().parses,
    ...oidc.stats(),
    sweep: sweeper.stats(),
  });

  return {
    callback: () => callback,
    koa: () => koaMiddleware(callback),
    standalone: () => (req, res) => callback(req, res, () => void health(req, res)),
    adminCallback,
    ready: () => adapter.ping(),
    metrics: telemetry.metrics.snapshot,
    stats,
    close: async () => {
      sweeper.stop();
      signingKeys.stop();
      deliveries.stop();
      await outbound.close();
      await close();
    },
  };
};
