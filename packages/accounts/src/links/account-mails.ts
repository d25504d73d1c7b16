import type * as sql from '@carnet/directory-sql';

type MailFunctions = Pick<
  typeof sql,
  'confirmAddressMail' | 'alreadyRegisteredMail' | 'resetPasswordMail' | 'passwordChangedMail'
>;

interface Recipient {
  readonly to: string;
  /** A language tag (BCP 47). */
  readonly language?: string | undefined;
}

interface Linked {
  readonly link: string;
  readonly validSeconds: number;
}

interface Named {
  readonly name: string;
}

/** The emails about accounts. Every function returns before the email is sent. */
export interface AccountMails {
  confirmAddress(mail: Recipient & Linked): void;
  alreadyRegistered(mail: Recipient): void;
  resetPassword(mail: Recipient & Linked & Named): void;
  passwordChanged(mail: Recipient & Named): void;
}

export const createAccountMails = (
  mails: MailFunctions,
  queue: Pick<sql.MailQueue, 'add'>,
  product: string,
): AccountMails => {
  const complete = <Mail extends Recipient>({ language, ...mail }: Mail) => ({ ...mail, language, product });
  return {
    confirmAddress: (mail) => queue.add(mails.confirmAddressMail(complete(mail))),
    alreadyRegistered: (mail) => queue.add(mails.alreadyRegisteredMail(complete(mail))),
    resetPassword: (mail) => queue.add(mails.resetPasswordMail(complete(mail))),
    passwordChanged: (mail) => queue.add(mails.passwordChangedMail(complete(mail))),
  };
};
