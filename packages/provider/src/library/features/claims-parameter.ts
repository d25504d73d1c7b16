import { errors } from 'oidc-provider';
import type { Feature } from './feature.ts';

const maxClaims = 100;

/** `acr` may be asked for as one of several (section 5.5.1). */
const hasOddValues = (part: unknown): boolean => {
  const { acr } = (part ?? {}) as { acr?: { values?: unknown } | null };
  return acr?.values !== undefined && !Array.isArray(acr.values);
};

const namesIn = (part: unknown): readonly string[] =>
  typeof part === 'object' && part !== null ? Object.keys(part) : [];

/**
 * The `claims` request parameter (OpenID Connect Core, section 5.5). Which claims a client gets the consent app decides
 * by handing them over; what the parameter demands of the login itself (`sub`, `acr`) is held by `policy.ts`.
 */
export const claimsParameter: Feature = {
  name: 'claimsParameter',
  create: () => ({
    upstream: {
      claimsParameter: {
        enabled: true,
        assertClaimsParameter: (_ctx: unknown, claims: Readonly<Record<string, unknown>>) => {
          const names = [...namesIn(claims.id_token), ...namesIn(claims.userinfo)];
          if (names.length > maxClaims) throw new errors.InvalidRequest(`claims names more than ${maxClaims} claims`);
          if (hasOddValues(claims.id_token)) throw new errors.InvalidRequest('claims.id_token.acr.values is no list');
        },
      },
    },
    install: ({ Grant }) => {
      Object.assign(Grant.prototype, { getOIDCClaimsFiltered: (names: Iterable<string>) => [...names] });
    },
  }),
};
