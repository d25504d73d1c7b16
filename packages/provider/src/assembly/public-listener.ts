import { healthRoutes } from '../admin/health-routes.ts';
import type { Config } from '../config/schema.ts';
import { createCallerScope } from '../http/browser-place.ts';
import { hostAllowed } from '../http/host.ts';
import { createPublicHandler, type PublicHandler } from '../http/public-handler.ts';
import { createRouter, type NodeHandler } from '../http/router.ts';
import { metadataAliases } from '../library/paths.ts';
import { createRegistration, registrationRouteOf } from '../registration/create-registration.ts';
import { registrationPath } from '../registration/registration-routes.ts';
import { version } from '../version.ts';
import type { Oidc } from './create-oidc.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';
import { registrationTermsOf } from './resources.ts';

const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

/** The issuer's host, and that of the endpoints that ask for certificates. */
const publicHosts = ({ issuer, features }: Config): readonly string[] =>
  [issuer, features.mtls.baseUrl].filter((url) => url !== undefined).map((url) => new URL(url).host);

type RegistrationParts = Pick<Parts, 'clients' | 'oidc' | 'secrets' | 'requestId'>;

const createConfiguredRegistration = (base: Foundation, parts: RegistrationParts): Oidc['handle'] => {
  const { config, options, adapter, logger, telemetry, now } = base;
  const { clients, oidc, secrets } = parts;
  return createRegistration({
    config: config.oidc.dynamicClientRegistration,
    terms: registrationTermsOf(config),
    issuer: config.issuer,
    adapter,
    clients,
    validateMetadata: (metadata) => oidc.validateClient({ id: metadata.client_id, metadata }),
    verifySecret: secrets.verify,
    hook: options.registrationPolicy,
    audit: telemetry.audit,
    onError: (err, id) => logger.error({ err, requestId: id }, 'request failed'),
    now,
  });
};

/** The endpoints of the issuer; other paths are left to `next`. */
export const createPublicListener = (base: Foundation, parts: RegistrationParts): PublicHandler => {
  const { config, logger, telemetry } = base;
  const { oidc, requestId } = parts;
  const registration = createConfiguredRegistration(base, parts);
  const basePath = basePathOf(config.issuer);
  // Only the fetches of client metadata documents are limited by the caller's network.
  const { enabled: hasDocuments } = config.features.clientIdMetadataDocument;
  const scope = hasDocuments
    ? createCallerScope(config.http.trustedProxies)
    : <T>(_: unknown, call: () => T): T => call();
  return createPublicHandler({
    basePath,
    routeOf: (path) => registrationRouteOf(path) ?? oidc.routeOf(path),
    aliases: metadataAliases(basePath),
    isAllowedHost: hostAllowed([...publicHosts(config), ...config.http.allowedHosts]),
    requestId,
    handle: (message, { route, requestId: id, hostHeaders }) =>
      telemetry.serve(
        { method: message.method ?? 'GET', route, headers: message.headers },
        () =>
          scope(message, () =>
            (route.startsWith(registrationPath) ? registration : oidc.handle)(message, hostHeaders, id),
          ),
        ({ status }) => status,
      ),
    onAnswer: (answer) => telemetry.answered('public', answer),
    onError: (err, id) => logger.error({ err, requestId: id }, 'request failed'),
  });
};

/** Asked by probes, which know an address and no host name: unlike the endpoints, it answers whatever the Host is. */
export const createHealth = ({ ready, requestId }: Pick<Parts, 'ready' | 'requestId'>): NodeHandler =>
  createRouter({ routes: healthRoutes({ ready: ready.public, version }), requestId });
