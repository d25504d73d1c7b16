import type { AccountsDependencies } from '../dependencies.ts';
import { type AccountMails, composeMail } from '../mail/mail.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import { openMailer } from '../mail/mailer.ts';
import { readTemplates } from '../mail/templates/read-templates.ts';
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

/** @throws TypeError if the URL, the sender or a template cannot be used */
export const openMail = (
  url: string,
  { mail: { from = devSender, templates: folder }, passkeys }: Pick<AccountsOptions, 'mail' | 'passkeys'>,
  { logger, showMail = (text) => logger.info({}, text) }: AccountsDependencies,
): OpenedMail => {
  const { templates, problems } = folder === undefined ? { problems: [] } : readTemplates(folder);
  if (problems.length > 0) throw new TypeError(problems.join('\n'));
  const settings = { product: passkeys.rpName, templates };
  const mailer = openMailer({ url, from, ...(url === 'log:' && { log: showMail }) });
  const queue = createMailQueue(mailer, {
    onError: (error, kind) => logger.error({ err: error, kind }, 'An email was not sent: check accounts.mail.'),
  });
  return {
    mails: { send: (kind, mail) => queue.add(composeMail(kind, settings, mail)) },
    check: () => mailer.check(),
    close: async () => {
      await queue.close();
      mailer.close();
    },
  };
};
