import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { createBrowserPlace } from '../http/browser-place.ts';
import { createClientCertificates } from '../http/client-certificate.ts';
import type { Oidc } from './create-oidc.ts';
import type { Foundation } from './foundation.ts';
import { oidcOptions } from './oidc-options.ts';
import type { Parts } from './parts.ts';
import { createRenewableOidc } from './renewable-oidc.ts';

/** Creates the provider from the configuration. */
export const createConfiguredOidc = (
  base: Foundation,
  { flow, ...parts }: Pick<Parts, 'flow' | 'clients' | 'secrets' | 'outbound' | 'deliveries'>,
): Oidc => {
  const { config, options, adapter, undoneBy, signingKeys, logger, telemetry, now } = base;
  return createRenewableOidc({
    options: oidcOptions(config, base.accounts),
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
