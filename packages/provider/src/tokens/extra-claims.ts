import { idTokenClaimNames } from './id-token-claims.ts';

/** The names that only Carnet uses, in ID tokens and userinfo. */
const reserved: ReadonlySet<string> = new Set([
  ...idTokenClaimNames,
  'nbf',
  'azp',
  'cnf',
  // The claim of logout tokens: an ID token with it could be replayed as one.
  'events',
  // oidc-provider recognizes plain objects by this member.
  'constructor',
]);

/** The claims of the consent app, without reserved names. */
export const freeClaims = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.has(name)));
