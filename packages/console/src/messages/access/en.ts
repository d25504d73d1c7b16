/** The texts of the sign-in and the sign-out. */
export const en = {
  ended: 'Your session has ended',
  endedForm: 'Nothing was changed. Sign in, and send the form again.',
  signIn: 'Sign in',
  signOut: 'Sign out',
  noAccess: 'No access',
  withoutRole: 'You are signed in, but you have no role in this console. Ask an administrator for access.',
  failed: 'The sign-in failed',
  otherBrowser: 'The sign-in took too long, or it was begun in another browser or tab.',
  refused: 'The sign-in was not completed. The log of the server has the details.',
  signedOut: 'You are signed out',
  signedOutText: 'You are signed out of the console. Applications and the sign-in page may still remember you.',
  signOutEverywhere: 'Sign out there, too',
};

export type AccessMessages = typeof en;
