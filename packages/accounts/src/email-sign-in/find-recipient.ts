import type { Logger } from '../dependencies.ts';
import type { Account, Directories } from '../directory/index.ts';
import type { createDirectoriesOf } from '../organizations/choose-organization.ts';
import { unlessAmbiguous } from '../sign-in/password-step.ts';
import { isBarred } from '../sign-in/sign-in-machine.ts';
import { verifiedEmailOf } from '../users/email-of.ts';

export interface FindRecipientDependencies {
  readonly directories: Pick<Directories, 'find' | 'load'>;
  /** The directories for the organization of a request, or of the domain of the login name. Undefined: all. */
  readonly directoriesOf: ReturnType<typeof createDirectoriesOf>;
  /** Whether the users with this address sign in with a provider. */
  readonly isOfProvider: (address: string) => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Recipient {
  readonly account: Account;
  /** The address of the user. Never the one that was entered. */
  readonly to: string;
}

/**
 * The user with this login name, as the directory has it now, if the user may sign in and has a verified address.
 *
 * Safe against users of a provider who avoid its factors, or its refusal, by their mailbox, because the domain of the stored address
 * decides: the page, the spelling of the login name and the API have no effect.
 */
export const findRecipient = async (
  { directories, directoriesOf, isOfProvider, logger }: FindRecipientDependencies,
  { login, organization }: { readonly login: string; readonly organization?: string | undefined },
): Promise<Recipient | undefined> => {
  const found = await unlessAmbiguous(logger, () => directories.find(login, directoriesOf({ organization, login })));
  // A cache may have the user as it was before.
  const account = found && (await directories.load(found.subject));
  const to = account && verifiedEmailOf(account.claims);
  if (account === undefined || to === undefined || isBarred(account) || isOfProvider(to)) return undefined;
  return { account: { ...account, login: found?.login }, to };
};
