import type * as sql from '@carnet/directory-sql';
import type { AccountsDependencies } from '../dependencies.ts';
import { type AccountMails, createAccountMails } from '../links/account-mails.ts';
import type { AccountsOptions } from '../options.ts';

export interface OpenedMail {
  readonly mails: AccountMails;
  /** Whether the mail server answers. @throws MailError */
  check(): Promise<void>;
  /** Resolves when every email was sent or given up. */
  close(): Promise<void>;
}

/** The sender in dev mode, where emails are shown in the log. */
const devSender = 'Carnet <carnet@localhost>';

/** Undefined without a mail server. @throws TypeError if the URL or the sender cannot be used */
export const openMail = (
  loaded: typeof sql,
  { mail: { url, from = devSender }, passkeys }: AccountsOptions,
  { logger, showMail = (text) => logger.info({}, text) }: AccountsDependencies,
): OpenedMail | undefined => {
  if (url === undefined) return undefined;
  const mailer = loaded.openMailer({ url, from, ...(url === 'log:' && { log: showMail }) });
  const queue = loaded.createMailQueue(mailer, {
    onError: (error, kind) => logger.error({ err: error, kind }, 'An email was not sent: check accounts.mail.'),
  });
  return {
    mails: createAccountMails(loaded, queue, passkeys.rpName),
    check: () => mailer.check(),
    close: async () => {
      await queue.close();
      mailer.close();
    },
  };
};
