import type { Provider } from 'oidc-provider';

/** Claims that the consent app gave pass the filter by scope; those that say who speaks to whom stay ours. */
export const extraClaims = Symbol('extra claims');
const reserved = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'sid',
  'nonce',
  'azp',
  'auth_time',
  'acr',
  'amr',
  'at_hash',
  'c_hash',
  's_hash',
  'cnf',
  'events',
  // oidc-provider tells plain objects by this member.
  'constructor',
]);

export const passExtraClaims = (provider: Provider): void => {
  interface Claims {
    readonly available: { readonly [extraClaims]?: Readonly<Record<string, unknown>> };
  }
  const { prototype } = provider.Claims as unknown as { prototype: { result(): Promise<Record<string, unknown>> } };
  const { result } = prototype;
  Object.assign(prototype, {
    async result(this: Claims) {
      const extra = Object.entries(this.available[extraClaims] ?? {}).filter(([name]) => !reserved.has(name));
      return { ...Object.fromEntries(extra), ...(await result.call(this)) };
    },
  });
};
