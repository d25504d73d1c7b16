import { createDirectoryHealth } from '../accounts/directory-health.ts';
import { scimPath, scimRouteOf } from '../accounts/scim.ts';
import { createAdminAuthorize } from '../admin/authorize.ts';
import { hasTokens } from '../admin/config.ts';
import { adminRoutes } from '../admin/index.ts';
import { healthRoutes, type MetricsDependencies, metricsRoutes, withOpenApi } from '../admin/server-routes.ts';
import type { Config } from '../config/schema.ts';
import { createPageTokens } from '../flow/page-tokens.ts';
import { headlessRoutes } from '../headless/routes.ts';
import { wire } from '../headless/wire.ts';
import { createCallerScope } from '../http/browser-place.ts';
import { hostAllowed, misdirected } from '../http/host.ts';
import { createPublicHandler, type PublicHandler } from '../http/public-handler.ts';
import { adminSecurityHeaders, sendResponse } from '../http/response.ts';
import { createRouter, type NodeHandler, type RouterOptions } from '../http/router.ts';
import { metadataAliases } from '../library/paths.ts';
import { createRegistration, registrationRouteOf } from '../registration/create-registration.ts';
import { registrationPath } from '../registration/registration-routes.ts';
import { adminRequest } from '../telemetry/audit.ts';
import { contentType, renderMetrics } from '../telemetry/metrics.ts';
import { version } from '../version.ts';
import { createApi } from './api.ts';
import type { Carnet } from './carnet.ts';
import { registrationTermsOf } from './clients.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './oidc.ts';
import type { Readiness } from './readiness.ts';

const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

/** The issuer's host, and that of the endpoints that ask for certificates. */
const publicHosts = ({ issuer, features }: Config): readonly string[] =>
  [issuer, features.mtls.baseUrl].filter((url) => url !== undefined).map((url) => new URL(url).host);

/** The endpoints of the issuer; other paths are left to `next`. */
export const createPublicListener = (
  { config, options, adapter, logger, telemetry, requestId, now }: Foundation,
  { clients, oidc, secrets, accounts }: Pick<Parts, 'clients' | 'oidc' | 'secrets' | 'accounts'>,
): PublicHandler => {
  const onError = (err: unknown, id: string) => logger.error({ err, requestId: id }, 'request failed');
  const registration = createRegistration({
    config: config.oidc.dynamicClientRegistration,
    terms: registrationTermsOf(config),
    issuer: config.issuer,
    adapter,
    clients,
    validateMetadata: (metadata) => oidc().validateClient({ id: metadata.client_id, metadata }),
    verifySecret: secrets.verify,
    hook: options.registrationPolicy,
    audit: telemetry.audit,
    onError,
    now,
  });
  const scim = accounts?.scim;
  const handlerAt = (route: string) => {
    if (scim !== undefined && route.startsWith(scimPath)) return scim;
    return route.startsWith(registrationPath) ? registration : oidc().handle;
  };
  const basePath = basePathOf(config.issuer);
  // Only the fetches of client metadata documents are limited by the caller's network.
  const { enabled: hasDocuments } = config.features.clientIdMetadataDocument;
  const scope = hasDocuments
    ? createCallerScope(config.http.trustedProxies)
    : <T>(_: unknown, call: () => T): T => call();
  return createPublicHandler({
    basePath,
    routeOf: (path) => (scim && scimRouteOf(path)) ?? registrationRouteOf(path) ?? oidc().routeOf(path),
    aliases: metadataAliases(basePath),
    isAllowedHost: hostAllowed([...publicHosts(config), ...config.http.allowedHosts]),
    requestId,
    handle: (message, { route, requestId: id, hostHeaders }) =>
      telemetry.serve(
        { method: message.method ?? 'GET', route, headers: message.headers },
        () => scope(message, () => handlerAt(route)(message, hostHeaders, id)),
        ({ status }) => status,
      ),
    onAnswer: (answer) => telemetry.answered('public', answer),
    onError,
  });
};

/** Created for its first request: an issuer whose pages are in the same process may never get one. */
const whenAsked = (create: () => NodeHandler): NodeHandler => {
  let handler: NodeHandler | undefined;
  return (req, res) => {
    handler ??= create();
    return handler(req, res);
  };
};

/** Asked by probes, which know an address and no host name: unlike the endpoints, it answers whatever the Host is. */
export const createHealth = ({ requestId }: Foundation, ready: Readiness): NodeHandler =>
  whenAsked(() => createRouter({ routes: healthRoutes({ ready: ready.public, version }), requestId }));

const reportTo =
  (telemetry: Foundation['telemetry']): RouterOptions['onAnswer'] =>
  (answer) => {
    telemetry.answered('admin', answer);
    const { audit: action, params, query, requestId } = answer;
    if (action === undefined) return;
    const outcome = answer.status < 400 ? 'success' : 'denied';
    const { id: clientId } = action.startsWith('client.') ? params : {};
    const { set: keySet, kid } = action.startsWith('key.') ? params : {};
    const subject = /^(?:session|consent)\.revoke$/.test(action) ? query.get('subject') || undefined : undefined;
    const about = { subject, clientId, keySet, kid };
    telemetry.audit({ action, outcome, ...about, byAdmin: true, ...adminRequest.getStore(), requestId });
  };

const rendererOf = ({ options, telemetry }: Foundation): MetricsDependencies['renderMetrics'] => {
  const { gatherMetrics = async () => [await telemetry.metrics.snapshot()] } = options;
  return async () => ({ contentType, text: await renderMetrics(await gatherMetrics()) });
};

/** The metrics alone, without a token, for a listener of their own. */
export const createMetricsListener = (base: Foundation): ReturnType<Carnet['metricsCallback']> => {
  const handle = createRouter({ routes: metricsRoutes({ renderMetrics: rendererOf(base) }, '/metrics') });
  return (req, res) => void handle(req, res);
};

const createAdminRouter = (base: Foundation, parts: Parts, ready: Readiness): NodeHandler => {
  const { config, telemetry } = base;
  const { admin, features } = config;
  const { requests, ...api } = createApi(base, parts, { nameOf: wire.nameOf });
  const routes = () => [
    ...headlessRoutes(requests, { backchannel: features.ciba.enabled, device: features.device.enabled }),
    ...(parts.accounts?.routes() ?? []),
    ...(base.events?.routes ?? []),
    ...adminRoutes({
      ...api,
      pageTokens: createPageTokens(base.flow.envelope),
      ready: ready.admin,
      directories: parts.accounts && createDirectoryHealth(parts.accounts.api, base.now),
      renderMetrics: rendererOf(base),
      version,
    }),
  ];
  return createRouter({
    routes: withOpenApi(routes, version),
    authorize: createAdminAuthorize(admin, base.options.issuerName),
    responseHeaders: adminSecurityHeaders,
    requestId: base.requestId,
    alsoWithoutAdminPrefix: true,
    around: ({ method, headers }, route, answer) =>
      telemetry.serve({ method, route, headers }, answer, ({ status }) => status),
    onAnswer: reportTo(telemetry),
  });
};

/** The admin and headless API. */
export const createAdminListener = (
  base: Foundation,
  parts: Parts,
  ready: Readiness,
): ReturnType<Carnet['adminCallback']> => {
  const { admin } = base.config;
  const handle = whenAsked(() => createAdminRouter(base, parts, ready));
  // A bearer token is proof enough; without one the Host header is what keeps web pages of other names out.
  const isAllowed = hasTokens(admin)
    ? () => true
    : hostAllowed(['127.0.0.1:*', 'localhost:*', '[::1]:*', ...admin.allowedHosts]);
  return (req, res) => (isAllowed(req) ? void adminRequest.run({}, handle, req, res) : sendResponse(res, misdirected));
};
