import type { Circumstances } from '../api/sign-in.ts';
import type { Logger } from '../dependencies.ts';
import type { ProviderOptions } from '../options.ts';
import type { Current } from '../sign-in/sign-in-machine.ts';
import { fixedFor } from './choose-provider.ts';
import type { IdentityLinks } from './identity-links.ts';

export interface FixedClientDependencies {
  readonly providers: readonly ProviderOptions[];
  readonly links: Pick<IdentityLinks, 'providerOf'> | undefined;
  readonly logger: Pick<Logger, 'info'>;
}

/**
 * Whether a sign-in is one that its client accepts (`accounts.providers[].clients`).
 *
 * Safe against a user who chooses another way because it is asked at each step of each sign-in, and not only where the sign-in
 * begins. A user who links a new identity signs in with the password: the proof that the identity is the user's was made at the
 * provider.
 */
export const createIsForClient =
  ({ providers, links, logger }: FixedClientDependencies) =>
  ({ progress, account: { subject } }: Current, { clientId, link, binding }: Circumstances): boolean => {
    const fixed = fixedFor(providers, clientId)?.name;
    if (fixed === undefined || progress.identity?.provider === fixed) return true;
    if (link !== undefined && links?.providerOf(link, { subject, binding }) === fixed) return true;
    logger.info({ subject, client: clientId, provider: fixed }, 'The client accepts sign-ins at its provider only.');
    return false;
  };
