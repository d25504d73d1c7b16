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
  invitation: {
    subject: 'Your account at {product}',
    introduction: 'An account was created for you at {product}: {name}. Choose a password to sign in.',
    action: 'Choose a password',
    note: 'The link is valid for {duration} and can be used once. If you do not know {product}, ignore this email.',
  },
  signInCode: {
    subject: 'Your code for {product}',
    introduction: 'Enter this code to sign in to {product} as {name}:',
    note: 'The code is valid for {duration} and can be used once. Do not give it to anyone. If you are not signing in, someone else knows your password: change it now.',
  },
  emailSignInCode: {
    subject: 'Your code for {product}',
    introduction: 'Enter this code to sign in to {product} as {name}:',
    note: 'The code is valid for {duration} and can be used once, in the browser in which you requested it. Do not give it to anyone. If you did not request it, ignore this email: without the code, no one can sign in.',
  },
  alreadyRegistered: {
    subject: 'You already have an account at {product}',
    introduction: 'A sign-up at {product} was requested for this email address, which has an account already.',
    note: 'If it was you, sign in, or choose “Forgot your password?” on the sign-in page. If it was not you, ignore this email: nothing has changed.',
  },
  confirmNewAddress: {
    subject: 'Confirm your new email address for {product}',
    introduction: 'You asked to use this email address for your account at {product}.',
    action: 'Confirm email address',
    note: 'The link is valid for {duration} and can be used once, in the browser in which you asked for it. If you did not ask for it, ignore this email: nothing changes.',
  },
  addressTaken: {
    subject: 'Your email address already has an account at {product}',
    introduction: 'A user of {product} asked to use this email address, which already belongs to another account.',
    note: 'If it was you, sign in with this address, or choose another one. If it was not you, ignore this email: nothing has changed.',
  },
  emailChangeRequested: {
    subject: 'A new email address was requested for your account at {product}',
    introduction:
      'A new email address was requested for your account {name} at {product}. It replaces this one when it is confirmed.',
    note: 'If you did not ask for it, change your password now: the new address can then no longer be confirmed.',
  },
  emailChanged: {
    subject: 'The email address of your account at {product} was changed',
    introduction:
      'The email address {name} of your account at {product} was replaced by another one. You sign in with the new one from now on.',
    note: 'If you did not change it, tell the administrators of {product} now.',
  },
  passwordChanged: {
    subject: 'Your password for {product} was changed',
    introduction: 'The password of your account {name} at {product} was changed.',
    note: 'If you did not change it, choose “Forgot your password?” on the sign-in page now to set a new one.',
    noteWithoutRecovery: 'If you did not change it, tell the administrators of {product} now.',
  },
  factorAdded: {
    subject: 'A sign-in method was added to your account at {product}',
    introduction: 'This sign-in method was added to your account {name} at {product}: {factor}.',
    note: 'If you did not add it, change your password now, and remove the sign-in method on your account page.',
  },
  factorRemoved: {
    subject: 'A sign-in method was removed from your account at {product}',
    introduction: 'This sign-in method was removed from your account {name} at {product}: {factor}.',
    note: 'If you did not remove it, change your password now, and check the sign-in methods on your account page.',
  },
  factorsReset: {
    subject: 'Your second factors at {product} were removed',
    introduction:
      'All second factors and passkeys of your account {name} at {product} were removed by an administrator.',
    note: 'If you did not ask for it, change your password now, and tell the administrators of {product}.',
  },
  deletionRequested: {
    subject: 'Your account at {product} will be deleted',
    introduction:
      'The deletion of your account {name} at {product} was requested. It will be deleted on {date}, with all its data. You were signed out everywhere.',
    note: 'To keep the account, sign in before that day. If you did not ask for the deletion, keep the account, and change your password.',
  },
  factors: {
    totp: 'authenticator app',
    hotp: 'code token',
    pin: 'PIN',
    recovery_code: 'new recovery codes',
    passkey: 'passkey',
    email: 'code by email',
  },
};
