import type { OpenResource } from '../clients/client-record.ts';
import type { Config } from '../config/schema.ts';
import { type RegistrableResource, type RegistrationTerms, registrationTerms } from '../registration/policy.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

/** The resources (RFC 8707) of the configuration, with their scopes. */
const resourcesOf = ({ resources }: Config): readonly RegistrableResource[] =>
  resources.map(({ identifier, scope, clients }) => ({
    identifier,
    scopes: spaceDelimited(scope),
    isOpen: clients === 'all',
  }));

/** The resources that every client may request; none while resource indicators are switched off. */
export const openResourcesOf = (config: Config): readonly OpenResource[] =>
  config.features.resourceIndicators.enabled ? resourcesOf(config).filter(({ isOpen }) => isOpen) : [];

/** The terms for clients that describe themselves, by registration or by a metadata document. */
export const registrationTermsOf = (config: Config): RegistrationTerms =>
  registrationTerms(config.oidc.dynamicClientRegistration, resourcesOf(config));
