import type { Feature } from './feature.ts';

/**
 * Access tokens for one resource each (RFC 8707): `tokens/resources.ts`. A client may have those that its registered
 * `audience` names; the consent app grants them as it grants an audience.
 */
export const resourceIndicators: Feature = {
  name: 'resourceIndicators',
  // oidc-provider would leave the claim `resource` out of request objects otherwise: tokens would be for any resource.
  create: () => ({ upstream: { resourceIndicators: { enabled: true } } }),
};
