import { vi } from 'vitest';
import type { AccountsDependencies, AccountsOptions } from '../src/index.ts';
import { partsOf, startMailbox } from './mail/smtp-mailbox.ts';
import { createUser, openTestAccounts, testOptions } from './open-test-accounts.ts';

type Dependencies = Partial<AccountsDependencies>;

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Accounts that send their emails to a real SMTP server. */
export const openWithMail = async (
  database: string,
  options: Partial<AccountsOptions> = {},
  dependencies: Dependencies = {},
) => {
  const mailbox = await startMailbox();
  const mail = { url: `smtp://127.0.0.1:${mailbox.port}`, from: 'Carnet <id@example.com>' };
  return { mailbox, ...(await openTestAccounts(testOptions({ database, mail, ...options }), dependencies)) };
};

/** Accounts as of `openWithMail`, with a new user. */
export const openUserWithMail = async (
  database: string,
  options?: Partial<AccountsOptions>,
  dependencies?: Dependencies,
) => {
  const subject = await createUser(database);
  return { ...(await openWithMail(database, options, dependencies)), database, subject };
};

const shown = (mail: Mailbox['received'][number]) => ({ recipients: mail.recipients, text: partsOf(mail)[0] ?? '' });

/** The email with this number, as soon as it has arrived. */
export const mailAt = (mailbox: Mailbox, index: number) =>
  vi.waitFor(() => {
    const mail = mailbox.received[index];
    if (mail === undefined) throw new Error('no mail yet');
    return shown(mail);
  }, 30_000);

/** The first emails, as soon as so many have arrived. */
export const firstMails = async (mailbox: Mailbox, count: number) => {
  await mailAt(mailbox, count - 1);
  return mailbox.received.slice(0, count).map(shown);
};

/** Email programs break longer links. */
const longestLink = 120;

/** The token of the link in an email. */
export const tokenIn = ({ text }: { readonly text: string }, linkBase: string): string => {
  const link = /https:\S+/.exec(text)?.[0] ?? '';
  if (!link.startsWith(`${linkBase}?token=`)) throw new Error(`no link to ${linkBase} in: ${text}`);
  if (link.length > longestLink) throw new Error(`the link has ${link.length} characters: ${link}`);
  return new URL(link).searchParams.get('token') ?? '';
};
