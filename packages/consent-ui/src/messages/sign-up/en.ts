import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

/** The texts of sign-up and of forgotten passwords, in English. */
export const signUpPages = {
  signUp: {
    title: 'Create an account',
    email: 'Email',
    name: 'Name',
    nameHint: 'Optional',
    password: 'Password',
    submit: 'Create the account',
    haveAccount: 'Already have an account?',
    accept: 'I accept the terms of service.',
    notAccepted: 'Accept the terms of service to create an account.',
    signIn: 'Sign in',
    invalidEmail: 'Enter an email address, such as name@example.com.',
    sentTitle: 'Check your email',
    sent: (email: ReactNode) => rich`We have sent a message to ${email}. Open the link in it to confirm your address.`,
    sentHint: 'The message may take a minute. Look in your spam folder too.',
    resend: 'Send the message again',
    wrongAddress: 'Wrong address?',
    confirmTitle: 'Confirm your email address',
    confirmText: 'Create your account with this address.',
    confirmPasswordText: 'Create your account with this address, and choose its password.',
    confirm: 'Confirm the address',
    confirmedTitle: 'Your account is ready',
    confirmed: (name: ReactNode) => rich`Your address is confirmed, ${name}. You can sign in now.`,
    registeredTitle: 'You already have an account',
    registered: 'Sign in with your password. If you have forgotten it, choose a new one.',
  },
  recovery: {
    title: 'Forgot your password?',
    text: 'Enter your email address. We will send you a link to choose a new password.',
    login: 'Email',
    submit: 'Send the link',
    back: 'Back to sign-in',
    sentTitle: 'Check your email',
    sent: (login: ReactNode) => rich`If there is an account for ${login}, we have sent a message with a link.`,
    passwordTitle: 'Choose a new password',
    password: 'New password',
    save: 'Save the password',
    doneTitle: 'Your password has been changed',
    done: 'You can sign in with the new password now.',
    forgot: 'Forgot your password?',
    another: 'Ask for another link',
  },
  invitation: {
    title: 'Welcome',
    text: 'Your account is almost ready. Choose a password to sign in.',
    invalid:
      'It was used before, it is too old, or a newer one was sent. Ask the operator of this site for another invitation.',
  },
  links: {
    invalidTitle: 'This link no longer works',
    invalid: 'It was used before, or it is too old.',
    limited: 'Too many attempts. Wait a few minutes, then try again.',
    offTitle: 'This page is not available',
    off: 'Ask the operator of this site for an account, or for a new password.',
    continue: 'Continue to sign in',
  },
};

export type SignUpPages = typeof signUpPages;
