import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { createBrowserPlace } from '../http/browser-place.ts';
import { createClientCertificates } from '../http/client-certificate.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { SigningKeySource } from '../keys/sources/signing-key-source.ts';
import { createOidc, type Oidc } from './create-oidc.ts';
import type { Foundation } from './foundation.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';
import { oidcOptions } from './oidc-options.ts';
import type { Parts } from './parts.ts';

/**
 * oidc-provider takes its keys once: with other keys there is another one, put in place between two requests. Those under
 * way end with the one they began with.
 */
const createRenewableOidc = (
  deps: Omit<OidcDependencies, 'signingKeys'> & {
    readonly signingKeys: Pick<SigningKeySource, 'current' | 'onChange'>;
  },
): Oidc => {
  const create = (signingKeys: SigningKeys) => createOidc({ ...deps, signingKeys });
  let current = create(deps.signingKeys.current());
  let instantiatedBefore = 0;
  deps.signingKeys.onChange((signingKeys) => {
    const next = create(signingKeys);
    instantiatedBefore += current.stats().clientInstantiations;
    current = next;
  });
  return {
    routeOf: (path) => current.routeOf(path),
    handle: (req, res, requestId) => current.handle(req, res, requestId),
    introspect: (token, options) => current.introspect(token, options),
    openAccessToken: (jwt) => current.openAccessToken(jwt),
    validateClient: (record) => current.validateClient(record),
    validateConfiguredClient: (record) => current.validateConfiguredClient(record),
    stats: () => ({ clientInstantiations: instantiatedBefore + current.stats().clientInstantiations }),
  };
};

/** Creates the provider from the configuration. */
export const createConfiguredOidc = (
  base: Foundation,
  { flow, accounts, ...parts }: Pick<Parts, 'flow' | 'clients' | 'secrets' | 'outbound' | 'deliveries' | 'accounts'>,
): Oidc => {
  const { config, options, adapter, undoneBy, signingKeys, logger, telemetry, now } = base;
  return createRenewableOidc({
    options: oidcOptions(config, accounts),
    adapter,
    undoneBy,
    subjects: createSubjectIdentifiers({ ...config.oidc.subjectIdentifiers, outbound: parts.outbound }),
    signingKeys,
    clientCertificate: createClientCertificates(config.http),
    placeOf: createBrowserPlace(config.http.trustedProxies),
    hooks: options.hooks,
    logger,
    audit: telemetry.audit,
    now,
    ...parts,
    ...flow,
  });
};
