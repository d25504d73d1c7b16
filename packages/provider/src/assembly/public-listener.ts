import { healthRoutes } from '../admin/server-routes.ts';
import type { Config } from '../config/schema.ts';
import { createCallerScope } from '../http/browser-place.ts';
import { hostAllowed } from '../http/host.ts';
import { createPublicHandler, type PublicHandler } from '../http/public-handler.ts';
import { createRouter, type NodeHandler } from '../http/router.ts';
import { metadataAliases } from '../library/paths.ts';
import { createRegistration, registrationRouteOf } from '../registration/create-registration.ts';
import { registrationPath } from '../registration/registration-routes.ts';
import { version } from '../version.ts';
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
  { clients, oidc, secrets }: Pick<Parts, 'clients' | 'oidc' | 'secrets'>,
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
  const basePath = basePathOf(config.issuer);
  // Only the fetches of client metadata documents are limited by the caller's network.
  const { enabled: hasDocuments } = config.features.clientIdMetadataDocument;
  const scope = hasDocuments
    ? createCallerScope(config.http.trustedProxies)
    : <T>(_: unknown, call: () => T): T => call();
  return createPublicHandler({
    basePath,
    routeOf: (path) => registrationRouteOf(path) ?? oidc().routeOf(path),
    aliases: metadataAliases(basePath),
    isAllowedHost: hostAllowed([...publicHosts(config), ...config.http.allowedHosts]),
    requestId,
    handle: (message, { route, requestId: id, hostHeaders }) =>
      telemetry.serve(
        { method: message.method ?? 'GET', route, headers: message.headers },
        () =>
          scope(message, () =>
            (route.startsWith(registrationPath) ? registration : oidc().handle)(message, hostHeaders, id),
          ),
        ({ status }) => status,
      ),
    onAnswer: (answer) => telemetry.answered('public', answer),
    onError,
  });
};

/** Asked by probes, which know an address and no host name: unlike the endpoints, it answers whatever the Host is. */
export const createHealth = ({ requestId }: Foundation, ready: Readiness): NodeHandler =>
  createRouter({ routes: healthRoutes({ ready: ready.public, version }), requestId });
