import type { Provider } from 'oidc-provider';

/** Claims that the consent app gave pass the filter by scope; those that say who speaks to whom stay ours. */
export const extraClaims = Symbol('extra claims');
/** The claims of the login that `oidc.userinfo: hydra` adds to userinfo. */
export const loginClaims = Symbol('login claims');
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

/** What the consent app gave, without the names that are not its to give. */
export const freeClaims = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.has(name)));

export const passExtraClaims = (provider: Provider): void => {
  interface Claims {
    readonly available: {
      readonly [extraClaims]?: Readonly<Record<string, unknown>>;
      readonly [loginClaims]?: Readonly<Record<string, unknown>>;
    };
  }
  const { prototype } = provider.Claims as unknown as { prototype: { result(): Promise<Record<string, unknown>> } };
  const { result } = prototype;
  Object.assign(prototype, {
    async result(this: Claims) {
      const { [extraClaims]: extra = {}, [loginClaims]: ofLogin } = this.available;
      return { ...freeClaims(extra), ...ofLogin, ...(await result.call(this)) };
    },
  });
};
