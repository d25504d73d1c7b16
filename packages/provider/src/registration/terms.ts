import type { OpenResource } from '../clients/client-record.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';
import type { RegistrationLimits } from './policy.ts';

/** A resource (RFC 8707) of the configuration, as far as clients that register themselves are concerned. */
export interface RegistrableResource extends OpenResource {
  readonly isOpen: boolean;
}

/** The terms for a client that describes itself, by registration or by a metadata document. */
export type RegistrationTerms = ReturnType<typeof registrationTerms>;

/** The terms of the configuration. Scopes of resources that such clients may use need not be listed in `allowedScopes`. */
export const registrationTerms = (
  config: DynamicClientRegistrationConfig,
  resources: readonly RegistrableResource[],
) => {
  const { allowedScopes, defaultAudience: audience } = config;
  const isDefault = ({ identifier }: OpenResource): boolean => audience.includes(identifier);
  const usable = resources.filter((resource) => resource.isOpen || isDefault(resource));
  const limits: RegistrationLimits = {
    ...config,
    allowedScopes: allowedScopes && [...allowedScopes, ...usable.flatMap(({ scopes }) => scopes)],
  };
  return {
    limits,
    /** The values of members that a client does not name. */
    defaults: {
      scope: config.defaultScope.filter((scope) => allowedScopes?.includes(scope) ?? true),
      audience,
      /** The scopes that a client with the default audience gets in addition to its own. */
      audienceScopes: resources.filter(isDefault).flatMap(({ scopes }) => scopes),
    },
  };
};
