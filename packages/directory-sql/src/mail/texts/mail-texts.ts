/**
 * One mail. Placeholders: `{product}` is the name of the service, `{duration}` the validity of the link, `{name}` the
 * login name.
 */
export interface MailText {
  readonly subject: string;
  readonly introduction: string;
  /** The label of the link; absent in a mail without a link. */
  readonly action?: string;
  /** Below the link. */
  readonly note: string;
}

/** The mails in one language. */
export interface MailTexts {
  readonly direction: 'ltr' | 'rtl';
  readonly confirmAddress: Required<MailText>;
  readonly resetPassword: Required<MailText>;
  readonly alreadyRegistered: MailText;
  readonly passwordChanged: MailText;
}

export type MailKind = Exclude<keyof MailTexts, 'direction'>;
