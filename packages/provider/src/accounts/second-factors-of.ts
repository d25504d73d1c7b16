import type { AccountsConfig } from './config.ts';

/** The client id of the account pages of the login app. */
const accountPages = 'carnet-account';

/**
 * The second factors as configured, with a policy for the account pages that is at least `optional`: there users remove
 * factors and add others, and the password of a user who has a factor must not be enough for that.
 */
export const secondFactorsOf = ({ database, secondFactors }: AccountsConfig): AccountsConfig['secondFactors'] => {
  // Without the database there are no factors.
  if (database === undefined) return secondFactors;
  const { [accountPages]: policy = 'none', ...others } = secondFactors.clients;
  return { ...secondFactors, clients: { ...others, [accountPages]: policy === 'none' ? 'optional' : policy } };
};
