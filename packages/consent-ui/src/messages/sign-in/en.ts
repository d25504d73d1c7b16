import type { ReactNode } from 'react';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('en', { one: 'a minute', other: '# minutes' });

/** The texts of sign-in, consent, sign-out and devices. */
export const signInPages = {
  login: {
    title: 'Sign in',
    to: (client: ReactNode) => rich`to continue to ${client}`,
    name: 'Email or user name',
    password: 'Password',
    showPassword: 'Show password',
    remember: 'Keep me signed in on this device',
    rememberDetail: 'Offers your account here next time.',
    submit: 'Sign in',
    next: 'Continue',
    cancel: 'Cancel',
    /** Between the form and the other ways to sign in. */
    or: 'or',
    notYou: 'Not you?',
    useAnother: 'Use another account',
    wrong: 'Wrong user name or password.',
    tooMany: (count: number) => `Too many attempts. Try again in ${minutes(count)}.`,
  },
  chooser: {
    title: 'Choose an account',
    forget: (account: string) => `Remove ${account} from this device`,
  },
  consent: {
    title: (client: string) => `Allow ${client}?`,
    heading: 'Allow access?',
    wants: (client: ReactNode) => rich`${client} wants to use your account.`,
    wantsForDevice: (client: ReactNode) =>
      rich`${client} wants to use your account on the device whose code you entered.`,
    publishedBy: (host: ReactNode) => rich`Published by ${host}.`,
    returnTo: (receiver: ReactNode) => rich`You will return to ${receiver}.`,
    app: (scheme: string) => `an app on this device (${scheme})`,
    thisComputer: (host: string) => `this computer (${host})`,
    localCaution:
      'This application runs on your computer, where any program can use its name. ' +
      'Allow this only if you started the sign-in yourself.',
    deviceCaution:
      'Allow this only if the device is yours and you started it yourself. Never do it because someone asked you to.',
    willAllow: (client: string) => `This will allow ${client} to`,
    willShare: (client: string, claims: string) => `This will also share these details with ${client}: ${claims}.`,
    remember: 'Do not ask me again',
    allow: 'Allow access',
    deny: 'Deny',
    privacy: 'Privacy policy',
    terms: 'Terms of service',
  },
  organizations: {
    title: 'Choose an organization',
    text: 'You belong to more than one organization. For which one do you want to sign in?',
  },
  scopes: {
    openid: 'Know who you are',
    profile: 'See your name and profile',
    email: 'See your email address',
    address: 'See your postal address',
    phone: 'See your phone number',
    offline_access: 'Keep access while you are away',
    groups: 'See your groups',
    roles: 'See your roles',
    organization: 'See the organization that you sign in for',
  },
  claims: {
    name: 'name',
    family_name: 'family name',
    given_name: 'given name',
    middle_name: 'middle name',
    nickname: 'nickname',
    preferred_username: 'user name',
    profile: 'profile page',
    picture: 'picture',
    website: 'website',
    gender: 'gender',
    birthdate: 'date of birth',
    zoneinfo: 'time zone',
    locale: 'language',
    updated_at: 'date of the last change',
    email: 'email address',
    email_verified: 'whether the email address is confirmed',
    address: 'postal address',
    phone_number: 'phone number',
    phone_number_verified: 'whether the phone number is confirmed',
    groups: 'groups',
    roles: 'roles',
  },
  device: {
    title: 'Connect a device',
    confirmTitle: 'Is this the code on your device?',
    lead: 'Enter the code that your device shows.',
    confirmLead: 'Compare it with the code on your device before you continue.',
    code: 'Code',
    caution:
      'Continue only if you started this on your own device. If someone sent you the code or the link, ' +
      'close this page: they would get access to your account.',
    submit: 'Continue',
    confirmSubmit: 'Yes, continue',
    wrong: 'No device has this code. Codes expire after a few minutes: check the code, or get another.',
    tooMany: 'Too many codes were entered. Wait a moment, then start again at the address that your device shows.',
    requestedBy: 'Application',
    requestedAt: 'Requested',
    requestedFrom: 'From',
    notMe: 'This was not me',
    notMeTitle: 'Nothing was connected',
    notMeText:
      'Someone may have sent you the link or the code to get access to your account. Close this page, and do not enter the code anywhere.',
    connectedTitle: 'Your device is connected',
    connectedText: 'Return to your device. You can close this page.',
  },
  logout: {
    title: 'Sign out',
    heading: 'Sign out?',
    asks: (client: ReactNode) => rich`${client} asks to sign you out.`,
    endsSession: 'This ends your session on this device.',
    again: 'You will need to sign in again the next time.',
    submit: 'Sign out',
    stay: 'Stay signed in',
    stayedTitle: 'You are still signed in',
    stayedText: 'Nothing has changed. You can close this page.',
  },
  expired: {
    reason: 'It was open for too long, or is already finished.',
    signIn: {
      title: 'This sign-in has expired',
      label: 'Start again',
      withLink: 'Nothing went wrong: just start again.',
      withoutLink: 'Go back to the application and sign in from there.',
      withoutLinkOnDevice: 'Go back to your device and start again from there.',
    },
    signOut: {
      title: 'This sign-out has expired',
      label: 'Sign out again',
      withLink: 'You may still be signed in: to be sure, sign out again.',
      withoutLink: 'You may still be signed in: go back to the application and sign out from there.',
    },
  },
};
