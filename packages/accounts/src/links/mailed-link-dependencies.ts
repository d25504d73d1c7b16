import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import type { AccountMails } from './account-mails.ts';
import type { AllowedLinks } from './allowed-links.ts';

/** The parts that the operations with links in emails share. */
export interface MailedLinkDependencies {
  readonly directories: Pick<Directories, 'find' | 'purge' | 'lookupKey'>;
  readonly mails: AccountMails;
  readonly allowedLinks: AllowedLinks;
  /** Counts every request: each one may send an email. */
  readonly requests: LoginAttempts;
  /** Counts by subject, apart from those by login name: what others enter as a login does not use up a user's emails. */
  readonly ofUsers: LoginAttempts;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly subjects: LocalSubjects;
}
