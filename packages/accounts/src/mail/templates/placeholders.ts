import type { MailKind } from '../texts/mail-texts.ts';

/** A mail that has a template of its own. The texts for users who can and cannot set a new password by email are two templates. */
export type TemplateName = MailKind | 'passwordChangedWithoutRecovery';

const linked = ['product', 'link', 'duration'];
const coded = ['product', 'name', 'code', 'duration'];
const named = ['product', 'name'];

/** The placeholders of each mail. A template must have `link` and `code`, where they are listed. */
export const placeholdersOf: Readonly<Record<TemplateName, readonly string[]>> = {
  confirmAddress: linked,
  resetPassword: [...linked, 'name'],
  invitation: [...linked, 'name'],
  signInCode: coded,
  emailSignInCode: coded,
  alreadyRegistered: ['product'],
  confirmNewAddress: linked,
  addressTaken: ['product'],
  emailChangeRequested: named,
  emailChanged: named,
  passwordChanged: named,
  passwordChangedWithoutRecovery: named,
  factorAdded: [...named, 'factor'],
  factorRemoved: [...named, 'factor'],
  factorsReset: named,
  deletionRequested: [...named, 'date'],
};

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The mails by the names of their files: `reset-password`. */
export const templateNames: ReadonlyMap<string, TemplateName> = new Map(
  Object.keys(placeholdersOf).map((name) => [kebab(name), name as TemplateName]),
);
