import type { FactorKind } from '../../second-factors/index.ts';

/**
 * One mail. Placeholders: `{product}` is the name of the service, `{duration}` the validity of the link or the code, `{name}` the
 * login name, `{factor}` one of `factors`, `{date}` a day.
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
  readonly invitation: Required<MailText>;
  /** The code is below the introduction. */
  readonly signInCode: MailText;
  /** Likewise. */
  readonly emailSignInCode: MailText;
  readonly alreadyRegistered: MailText;
  readonly confirmNewAddress: Required<MailText>;
  readonly addressTaken: MailText;
  readonly emailChangeRequested: MailText;
  readonly emailChanged: MailText;
  /** `noteWithoutRecovery` is for users who cannot set a new password by email. */
  readonly passwordChanged: MailText & { readonly noteWithoutRecovery: string };
  readonly factorAdded: MailText;
  readonly factorRemoved: MailText;
  readonly factorsReset: MailText;
  readonly deletionRequested: MailText;
  /** The kinds of second factors, within a sentence. */
  readonly factors: Readonly<Record<FactorKind, string>>;
}

export type MailKind = Exclude<keyof MailTexts, 'direction' | 'factors'>;
