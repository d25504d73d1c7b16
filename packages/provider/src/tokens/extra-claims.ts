/** The claims that ID tokens and userinfo have from Carnet alone. */
const reserved: ReadonlySet<string> = new Set([
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
  // oidc-provider recognizes plain objects by this member.
  'constructor',
]);

/** The claims of the consent app, without reserved names. */
export const freeClaims = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.has(name)));
