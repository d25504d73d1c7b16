import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { AccountMails } from '../mail/mail.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import type { AllowedLink, AllowedLinks } from './allowed-links.ts';
import { answerCounted } from './counted-request.ts';

interface MailRequest {
  /** The address or the login name that was entered. */
  readonly login: string;
  readonly linkBase: string;
  readonly returnTo?: string | undefined;
  readonly address?: string | undefined;
}

/** The parts that the operations with links in emails share. */
export interface MailedLinkDependencies {
  readonly directories: Pick<Directories, 'find' | 'purge' | 'lookupKey'>;
  readonly mails: AccountMails;
  readonly allowedLinks: AllowedLinks;
  /** Counts every request: each one may send an email. */
  readonly requests: Pick<LoginAttempts, 'begin'>;
  /** Counts by subject, apart from those by login name: what others enter as a login does not use up a user's emails. */
  readonly ofUsers: LoginAttempts;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly subjects: LocalSubjects;
}

type MailDependencies = Pick<MailedLinkDependencies, 'requests' | 'allowedLinks'> & {
  readonly directories: Pick<Directories, 'lookupKey'>;
};

/**
 * Handles a request that may send an email. Every request is counted, for known and unknown users alike.
 *
 * @param send sends the email, if there is a receiver. A request whose `send` fails, such as in an outage, is not counted
 * @throws AccountsError `foreign_link`
 */
export const requestMail = async (
  { requests, allowedLinks, directories }: MailDependencies,
  request: MailRequest,
  send: (link: AllowedLink) => Promise<void>,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: 'limited' }> => {
  const link = allowedLinks.of(request);
  const attempt = await requests.begin(directories.lookupKey(request.login), request.address);
  if (attempt.retryAfterSeconds !== undefined) return { ok: false, error: 'limited' };
  await answerCounted(attempt, () => send(link));
  return { ok: true };
};
