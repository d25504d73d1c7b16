import * as mails from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { FactorKind } from '../second-factors/index.ts';

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

/** An email that notifies the owner of an account. */
export type Notice = Recipient & Named;

interface OfFactor {
  readonly factor: FactorKind;
}

/** The emails about accounts. Every function returns before the email is sent. */
export interface AccountMails {
  confirmAddress(mail: Recipient & Linked): void;
  alreadyRegistered(mail: Recipient): void;
  confirmNewAddress(mail: Recipient & Linked): void;
  addressTaken(mail: Recipient): void;
  emailChangeRequested(mail: Notice): void;
  emailChanged(mail: Notice): void;
  /** @param mail.at when the account is deleted, in milliseconds since 1970 */
  deletionRequested(mail: Notice & { readonly at: number }): void;
  resetPassword(mail: Recipient & Linked & Named): void;
  /** @param mail.canRecover whether the user can set a new password by email */
  passwordChanged(mail: Notice & { readonly canRecover: boolean }): void;
  factorAdded(mail: Notice & OfFactor): void;
  factorRemoved(mail: Notice & OfFactor): void;
  factorsReset(mail: Notice): void;
}

export const createAccountMails = (queue: Pick<MailQueue, 'add'>, product: string): AccountMails => {
  const complete = <Mail extends Recipient>({ language, ...mail }: Mail) => ({ ...mail, language, product });
  return {
    confirmAddress: (mail) => queue.add(mails.confirmAddressMail(complete(mail))),
    alreadyRegistered: (mail) => queue.add(mails.alreadyRegisteredMail(complete(mail))),
    confirmNewAddress: (mail) => queue.add(mails.confirmNewAddressMail(complete(mail))),
    addressTaken: (mail) => queue.add(mails.addressTakenMail(complete(mail))),
    emailChangeRequested: (mail) => queue.add(mails.emailChangeRequestedMail(complete(mail))),
    emailChanged: (mail) => queue.add(mails.emailChangedMail(complete(mail))),
    deletionRequested: (mail) => queue.add(mails.deletionRequestedMail(complete(mail))),
    resetPassword: (mail) => queue.add(mails.resetPasswordMail(complete(mail))),
    passwordChanged: (mail) => queue.add(mails.passwordChangedMail(complete(mail))),
    factorAdded: (mail) => queue.add(mails.factorAddedMail(complete(mail))),
    factorRemoved: (mail) => queue.add(mails.factorRemovedMail(complete(mail))),
    factorsReset: (mail) => queue.add(mails.factorsResetMail(complete(mail))),
  };
};
