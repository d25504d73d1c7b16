import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

/** The texts of signing in with another provider, in English. */
export const providerPages = {
  providers: {
    /** The button of a provider. */
    continueWith: (label: string) => `Continue with ${label}`,
    /** The page that a browser shows for a moment, or until the user clicks if it runs no scripts. */
    oneMoreStep: 'One more step',
    postAgain: 'Continue to complete your sign-in.',
    otherWay: 'Sign in another way',
    deniedTitle: 'You are not signed in',
    denied: (label: ReactNode) => rich`The sign-in with ${label} was cancelled or refused.`,
    failedTitle: 'You could not be signed in',
    failed: (label: ReactNode) =>
      rich`The sign-in with ${label} failed. Try again in a moment, or sign in another way.`,
    unknownTitle: 'You have no account here',
    unknown: (label: ReactNode) =>
      rich`The account that you used at ${label} is not connected to any account here. Use another one, or contact the operator of this site.`,
    firstTime: (label: ReactNode) =>
      rich`This is your first sign-in with ${label}. An account with these details will be created.`,
    link: (label: ReactNode) => rich`An account with this address exists. Sign in to connect ${label} to it.`,
    /** The section of the account page. */
    section: 'Sign-in providers',
    sectionText: 'Accounts elsewhere with which you sign in here.',
    connect: (label: string) => `Connect ${label}`,
    connectText: (label: ReactNode) => rich`You will sign in at ${label}. After that, you can use it to sign in here.`,
    connected: (date: string) => `Connected ${date}`,
    notConnectedTitle: 'Nothing was connected',
    notConnected: 'That account may already be connected to another user, or the sign-in took too long. Try again.',
    notConnectedDenied: 'The sign-in at the provider was cancelled or refused.',
    notConnectedFailed: 'The provider does not answer, or its answer is not valid. Try again in a moment.',
    lastWayTitle: 'This is your only way to sign in',
    lastWay: 'Add another way to sign in first. Then you can remove this one.',
  },
};

export type ProviderPages = typeof providerPages;
