import { healthRoutes } from '../admin/health-routes.ts';
import type { Config } from '../config/schema.ts';
import { createCallerScope } from '../http/caller-network.ts';
import { hostAllowed } from '../http/host.ts';
import { type ConnectHandler, createPublicHandler } from '../http/public-handler.ts';
import { createRouter, type NodeHandler } from '../http/router.ts';
import { setOwnHeaders } from '../http/security-headers.ts';
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

const createConfiguredRegistration = (base: Foundation, parts: RegistrationParts): NodeHandler => {
  const { config, options, adapter, logger, telemetry, now } = base;
  const { clients, oidc, secrets, requestId } = parts;
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
    requestId,
    onError: (err, id) => logger.error({ err, requestId: id }, 'request failed'),
    now,
  });
};

/** The endpoints of the issuer; other paths are left to `next`. */
export const createPublicListener = (base: Foundation, parts: RegistrationParts): ConnectHandler => {
  const { config, logger, telemetry } = base;
  const { oidc, requestId } = parts;
  const register = createConfiguredRegistration(base, parts);
  const registration: Oidc['handle'] = (req, res, id) => {
    setOwnHeaders(res, id);
    return register(req, res);
  };
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
    handle: (req, res, { route, requestId: id }) =>
      telemetry.serve(
        { method: req.method ?? 'GET', route, headers: req.headers },
        () => scope(req, () => (route.startsWith(registrationPath) ? registration : oidc.handle)(req, res, id)),
        () => res.statusCode,
      ),
    onAnswer: (answer) => telemetry.answered('public', answer),
    onError: (err, id) => logger.error({ err, requestId: id }, 'request failed'),
  });
};

/** Asked by probes, which know an address and no host name: unlike the endpoints, it answers whatever the Host is. */
export const createHealth = ({ ready, requestId }: Pick<Parts, 'ready' | 'requestId'>): NodeHandler =>
  createRouter({ routes: healthRoutes({ ready: ready.public, version }), requestId });
