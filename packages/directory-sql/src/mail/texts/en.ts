import type { MailTexts } from './mail-texts.ts';

export const en: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Confirm your email address for {product}',
    introduction: 'Confirm this email address to create your account at {product}.',
    action: 'Confirm email address',
    note: 'The link is valid for {duration} and can be used once. If you did not sign up, ignore this email: no account is created.',
  },
  resetPassword: {
    subject: 'Set a new password for {product}',
    introduction: 'You asked for a new password for the account {name} at {product}.',
    action: 'Set a new password',
    note: 'The link is valid for {duration} and can be used once. If you did not ask for it, ignore this email: your password does not change.',
  },
  alreadyRegistered: {
    subject: 'You already have an account at {product}',
    introduction: 'A sign-up at {product} was requested for this email address, which has an account already.',
    note: 'If it was you, sign in, or choose “Forgot your password?” on the sign-in page. If it was not you, ignore this email: nothing has changed.',
  },
  passwordChanged: {
    subject: 'Your password for {product} was changed',
    introduction: 'The password of your account {name} at {product} was changed.',
    note: 'If you did not change it, choose “Forgot your password?” on the sign-in page now to set a new one.',
  },
};
