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
  /** Registered beside the scope that a client names or not, where the audience is the default. */
  readonly audienceScopes: readonly string[];
}

/** What a client that describes itself may be, whichever way its description arrives. */
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
