import type { Logger } from '../dependencies.ts';
import { type Account, type Directories, normaliseLogin } from '../directory/index.ts';
import { addressOf } from '../links/address-of.ts';
import type { ProviderOptions } from '../options.ts';
import { unlessAmbiguous } from '../sign-in/password-step.ts';
import type { UpstreamUser } from './port.ts';
import { domainOf } from './provider.ts';

/** The user with the address of a new identity. `isSame`: the identity may be linked to the user without another proof. */
export interface Match {
  readonly account: Account;
  readonly isSame: boolean;
}

/** Whether the user's own address is this one, and known to belong to the user. */
const hasProved = ({ claims }: Account, email: string): boolean =>
  claims.email_verified === true && typeof claims.email === 'string' && normaliseLogin(claims.email) === email;

/**
 * The user with the address of a new identity. An address that the provider does not call verified finds no user: it would tell
 * an attacker which addresses have an account.
 *
 * Safe against an attacker with the address of a victim at a provider, because the address alone proves nothing unless the
 * provider gives out the addresses of its domain (`isAuthorityFor`). Safe against an attacker who has created the account of the
 * victim before, because a user who never proved the address is not joined.
 */
export const createFindUser =
  ({
    directories,
    logger,
  }: {
    readonly directories: Pick<Directories, 'find'>;
    readonly logger: Pick<Logger, 'warn'>;
  }) =>
  async (
    { isAuthorityFor }: Pick<ProviderOptions, 'isAuthorityFor'>,
    { email, emailVerified }: UpstreamUser,
  ): Promise<Match | undefined> => {
    if (email === undefined || !emailVerified) return undefined;
    const address = normaliseLogin(email);
    if (address === undefined) return undefined;
    const account = await unlessAmbiguous(logger, () => directories.find(address));
    if (account === undefined) return undefined;
    // Two addresses that only normalization makes equal may be two mailboxes.
    const isAuthority = addressOf(email) === address && isAuthorityFor.includes(domainOf(address) ?? '');
    return { account, isSame: isAuthority && hasProved(account, address) };
  };
