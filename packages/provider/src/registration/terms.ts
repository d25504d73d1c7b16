import type { OpenResource } from '../clients/client-record.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';
import type { RegistrationLimits } from './policy.ts';

/** A resource (RFC 8707) of the configuration, as far as clients that register themselves are concerned. */
export interface RegistrableResource extends OpenResource {
  readonly isOpen: boolean;
}

/** The values of members that a client does not name. */
export interface RegistrationDefaults {
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  /** The scopes that a client with the default audience gets in addition to its own. */
  readonly audienceScopes: readonly string[];
}

/** The terms for a client that describes itself, by registration or by a metadata document. */
export interface RegistrationTerms {
  readonly limits: RegistrationLimits;
  readonly defaults: RegistrationDefaults;
}

/** The terms of the configuration. Scopes of resources that such clients may use need not be listed in `allowedScopes`. */
export const registrationTerms = (
  config: DynamicClientRegistrationConfig,
  resources: readonly RegistrableResource[],
): RegistrationTerms => {
  const { allowedScopes, defaultAudience: audience } = config;
  const isDefault = ({ identifier }: OpenResource): boolean => audience.includes(identifier);
  const usable = resources.filter((resource) => resource.isOpen || isDefault(resource));
  return {
    limits: {
      ...config,
      allowedScopes: allowedScopes && [...allowedScopes, ...usable.flatMap(({ scopes }) => scopes)],
    },
    defaults: {
      scope: config.defaultScope.filter((scope) => allowedScopes?.includes(scope) ?? true),
      audience,
      audienceScopes: resources.filter(isDefault).flatMap(({ scopes }) => scopes),
    },
  };
};
