import type { AccountsDependencies } from '../dependencies.ts';
import type { PasswordHashing } from '../directory/index.ts';
import { type AccountsOptions, organizationPolicies } from '../options.ts';
import { createSecondFactors, type RelyingParty, type SecondFactors } from '../second-factors/index.ts';
import { usableKinds } from '../settings.ts';
import type { OpenedDatabase } from './open-database.ts';

/** Undefined if passkeys are off. */
const relyingPartyOf = ({ passkeys }: AccountsOptions): RelyingParty | undefined =>
  passkeys.enabled && passkeys.rpId !== undefined
    ? { id: passkeys.rpId, name: passkeys.rpName, origins: passkeys.origins }
    : undefined;

/** The second factors; undefined without a database, where no factor can be stored. */
export const openFactors = (
  options: AccountsOptions,
  { vault, now }: AccountsDependencies,
  hashing: PasswordHashing,
  database: OpenedDatabase | undefined,
): SecondFactors | undefined => {
  if (database === undefined) return undefined;
  const { policy, realms, clients } = options.secondFactors;
  const organizations = organizationPolicies(options);
  const rp = relyingPartyOf(options);
  return createSecondFactors({
    store: database.factors,
    attempts: database.attempts,
    vault,
    hash: hashing,
    policy: { default: policy, realms, clients, organizations, kinds: usableKinds(options, database) },
    rp,
    now,
  });
};
