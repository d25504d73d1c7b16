import { createAdminAuthorize } from '../admin/authorize.ts';
import { type AdminDependencies, adminRoutes } from '../admin/index.ts';
import { withOpenApi } from '../admin/openapi-route.ts';
import { createConsents } from '../consents/consents.ts';
import { createPageTokens } from '../flow/page-tokens.ts';
import { createRedemptions } from '../flow/redemptions.ts';
import { headlessRoutes } from '../headless/routes.ts';
import { wireName } from '../headless/wire.ts';
import { hostAllowed, refuseHost } from '../http/host.ts';
import { createRouter, type RouterOptions } from '../http/router.ts';
import { adminSecurityHeaders } from '../http/security-headers.ts';
import { createKeySets } from '../keys/key-sets.ts';
import { createManagedKeys } from '../keys/managed-keys.ts';
import { registrationUriOf } from '../registration/create-registration.ts';
import { createSessionRevocation } from '../sessions/revoke-sessions.ts';
import { contentType, renderMetrics } from '../telemetry/metrics.ts';
import { createTrustedIssuers } from '../trust/trusted-issuers.ts';
import { version } from '../version.ts';
import type { Carnet } from './carnet.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';
import { createConfiguredRequests } from './requests.ts';

type AdminParts = Pick<Parts, 'flow' | 'clients' | 'outbound' | 'deliveries' | 'oidc' | 'ready' | 'requestId'>;

const adminDependencies = (base: Foundation, parts: AdminParts): AdminDependencies => {
  const { config, options, adapter, vault, signingKeys, telemetry, now } = base;
  const { flow, clients, deliveries, oidc, ready } = parts;
  const { gatherMetrics = async () => [await telemetry.metrics.snapshot()] } = options;
  return {
    issuer: config.issuer,
    clients,
    adapter,
    registrationUri: registrationUriOf(config.issuer),
    validateMetadata: (metadata) => oidc.validateClient({ id: metadata.client_id, metadata }),
    bcryptCost: config.clients.bcryptCost,
    pageTokens: createPageTokens(flow.envelope),
    introspect: oidc.introspect,
    sessions: createSessionRevocation({ adapter, deliveries, now }),
    consents: createConsents({ adapter, clients, redemptions: createRedemptions({ ttl: config.ttl, now }) }),
    keySets: createKeySets({ adapter, vault, now }),
    managedKeys: createManagedKeys(signingKeys),
    trustedIssuers: createTrustedIssuers(adapter),
    ready: ready.admin,
    renderMetrics: async () => ({ contentType, text: await renderMetrics(await gatherMetrics()) }),
    version,
    now,
  };
};

const reportTo =
  (telemetry: Foundation['telemetry']): RouterOptions['onAnswer'] =>
  ({ audit: action, params, ...answer }) => {
    telemetry.answered('admin', answer);
    if (action === undefined) return;
    const outcome = answer.status < 400 ? 'success' : 'denied';
    const { id: clientId } = action.startsWith('client.') ? params : {};
    const { set: keySet, kid } = action.startsWith('key.') ? params : {};
    telemetry.audit({ action, outcome, byAdmin: true, clientId, keySet, kid, requestId: answer.requestId });
  };

/** The admin and headless API. */
export const createAdminListener = (base: Foundation, parts: AdminParts): ReturnType<Carnet['adminCallback']> => {
  const { admin, features } = base.config;
  const requests = createConfiguredRequests(base, parts, { nameOf: wireName });
  const routes = [
    ...headlessRoutes(requests, { backchannel: features.ciba.enabled, device: features.device.enabled }),
    ...adminRoutes(adminDependencies(base, parts)),
  ];
  const handle = createRouter({
    routes: withOpenApi(routes, version),
    authorize: createAdminAuthorize({ token: admin.token }),
    responseHeaders: adminSecurityHeaders,
    requestId: parts.requestId,
    alsoWithoutAdminPrefix: true,
    around: ({ method, headers }, route, answer) =>
      base.telemetry.serve({ method, route, headers }, answer, ({ status }) => status),
    onAnswer: reportTo(base.telemetry),
  });
  // A bearer token is proof enough; without one the Host header is what keeps web pages of other names out.
  const isAllowed =
    admin.token === undefined
      ? hostAllowed(['127.0.0.1:*', 'localhost:*', '[::1]:*', ...admin.allowedHosts])
      : () => true;
  return (req, res) => (isAllowed(req) ? void handle(req, res) : refuseHost(res));
};
