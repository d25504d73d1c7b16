import { createDirectoryHealth } from '../accounts/directory-health.ts';
import { createAdminAuthorize } from '../admin/authorize.ts';
import { hasTokens } from '../admin/config.ts';
import { adminRoutes } from '../admin/index.ts';
import { type MetricsDependencies, metricsRoutes, withOpenApi } from '../admin/server-routes.ts';
import { createPageTokens } from '../flow/page-tokens.ts';
import { headlessRoutes } from '../headless/routes.ts';
import { wire } from '../headless/wire.ts';
import { hostAllowed, misdirected } from '../http/host.ts';
import { adminSecurityHeaders, sendResponse } from '../http/response.ts';
import { createRouter, type RouterOptions } from '../http/router.ts';
import { adminRequest } from '../telemetry/audit.ts';
import { contentType, renderMetrics } from '../telemetry/metrics.ts';
import { version } from '../version.ts';
import { createApi } from './api.ts';
import type { Carnet } from './carnet.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './oidc.ts';
import type { Readiness } from './readiness.ts';

const reportTo =
  (telemetry: Foundation['telemetry']): RouterOptions['onAnswer'] =>
  ({ audit: action, params, ...answer }) => {
    telemetry.answered('admin', answer);
    if (action === undefined) return;
    const outcome = answer.status < 400 ? 'success' : 'denied';
    const { id: clientId } = action.startsWith('client.') ? params : {};
    const { set: keySet, kid } = action.startsWith('key.') ? params : {};
    const caller = { byAdmin: true, ...adminRequest.getStore(), requestId: answer.requestId } as const;
    telemetry.audit({ action, outcome, clientId, keySet, kid, ...caller });
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

/** The admin and headless API. */
export const createAdminListener = (
  base: Foundation,
  parts: Parts,
  ready: Readiness,
): ReturnType<Carnet['adminCallback']> => {
  const { config, telemetry } = base;
  const { admin, features } = config;
  const { requests, ...api } = createApi(base, parts, { nameOf: wire.nameOf });
  const routes = [
    ...headlessRoutes(requests, { backchannel: features.ciba.enabled, device: features.device.enabled }),
    ...(parts.accounts?.routes() ?? []),
    ...adminRoutes({
      ...api,
      pageTokens: createPageTokens(base.flow.envelope),
      ready: ready.admin,
      directories: parts.accounts && createDirectoryHealth(parts.accounts.api, base.now),
      renderMetrics: rendererOf(base),
      version,
    }),
  ];
  const handle = createRouter({
    routes: withOpenApi(routes, version),
    authorize: createAdminAuthorize(admin),
    responseHeaders: adminSecurityHeaders,
    requestId: base.requestId,
    alsoWithoutAdminPrefix: true,
    around: ({ method, headers }, route, answer) =>
      telemetry.serve({ method, route, headers }, answer, ({ status }) => status),
    onAnswer: reportTo(telemetry),
  });
  // A bearer token is proof enough; without one the Host header is what keeps web pages of other names out.
  const isAllowed = hasTokens(admin)
    ? () => true
    : hostAllowed(['127.0.0.1:*', 'localhost:*', '[::1]:*', ...admin.allowedHosts]);
  return (req, res) => (isAllowed(req) ? void adminRequest.run({}, handle, req, res) : sendResponse(res, misdirected));
};
