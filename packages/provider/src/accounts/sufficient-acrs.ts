import type { AccountsConfig } from './config.ts';

type Policy = AccountsConfig['secondFactors']['policy'];

/** From lax to strict. */
const policies: readonly Policy[] = ['none', 'optional', 'required', 'phishing_resistant'];

const isStricter = (policy: Policy, than: Policy): boolean => policies.indexOf(policy) > policies.indexOf(than);

/**
 * The classes (`acr`) of a remembered login that are sufficient for the clients with a policy of their own. A client that
 * is absent accepts each login: every login has fulfilled the policy of its realm.
 */
export const sufficientAcrsOf = (
  secondFactors: Pick<AccountsConfig['secondFactors'], 'policy' | 'realms' | 'clients'> | undefined,
): ReadonlyMap<string, readonly string[]> => {
  if (secondFactors === undefined) return new Map();
  const { policy, realms, clients } = secondFactors;
  const everywhere = [policy, ...Object.values(realms)];
  const demanding = Object.entries(clients).filter(([, own]) => everywhere.some((each) => isStricter(own, each)));
  return new Map(
    demanding.map(([id, own]) => [id, own === 'phishing_resistant' ? ['phr'] : ['urn:carnet:2fa', 'phr']]),
  );
};
