import type { Feature } from './feature.ts';

/** Access tokens for one resource each (RFC 8707): `tokens/resources.ts`. oidc-provider reads `resource` in request objects. */
export const resourceIndicators: Feature = {
  name: 'resourceIndicators',
  create: () => ({ upstream: { resourceIndicators: { enabled: true } } }),
};
