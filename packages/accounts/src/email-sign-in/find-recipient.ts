import type { Logger } from '../dependencies.ts';
import type { Account, Directories } from '../directory/index.ts';
import { unlessAmbiguous } from '../sign-in/password-step.ts';
import { isBarred } from '../sign-in/sign-in-machine.ts';
import { verifiedEmailOf } from '../users/email-of.ts';

export interface FindRecipientDependencies {
  readonly directories: Pick<Directories, 'find' | 'load'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Recipient {
  readonly account: Account;
  /** The address of the user. Never the one that was entered. */
  readonly to: string;
}

/** The user with this login name, as the directory has it now, if the user may sign in and has a verified address. */
export const findRecipient = async (
  { directories, logger }: FindRecipientDependencies,
  login: string,
): Promise<Recipient | undefined> => {
  const found = await unlessAmbiguous(logger, () => directories.find(login));
  // A cache may have the user as it was before.
  const account = found && (await directories.load(found.subject));
  const to = account && verifiedEmailOf(account.claims);
  if (account === undefined || to === undefined || isBarred(account)) return undefined;
  return { account: { ...account, login: found?.login }, to };
};
