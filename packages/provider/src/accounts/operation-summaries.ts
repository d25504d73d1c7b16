import type { OperationName } from '@carnet/accounts';

/** The summary of each operation in the OpenAPI document. */
export const summaries: Readonly<Record<OperationName, string>> = {
  settings: 'Get the enabled features, which decide what pages show.',
  'sign-in/identify':
    'Get the realm of a login name, and how its users sign in. The answer reveals nothing about users.',
  'sign-in/password': 'Check a login name and a password.',
  'sign-in/factor': 'Verify a code as the second factor of a sign-in.',
  'sign-in/passkey-options': 'Get the options with which a browser asks for a passkey.',
  'sign-in/passkey': 'Verify the answer of a passkey, as the second factor of a sign-in or as the whole sign-in.',
  'sign-in/skip-enrolment': 'Continue a sign-in without enrolling a second factor, if the policy allows it.',
  'sign-in/resume': 'Continue a sign-in after the enrolment of a second factor.',
  'sign-in/new-password': 'Set the new password that the directory asks for, and continue the sign-in.',
  'sign-in/keep-account': 'Keep the account of a user who has asked to be deleted, and continue the sign-in.',
  'account/show': "Get a user's claims, directory, and the actions that the directory supports.",
  'account/update': "Change a user's profile.",
  'account/change-password':
    "Change a user's password. It ends the remembered logins of the user, and by default revokes the tokens.",
  'account/change-email':
    'Send a link to the new email address of a user. The answer is the same for an address that has an account.',
  'account/confirm-email': "Change a user's email address by the link, in the browser that requested it.",
  'account/delete': 'Sign a user out everywhere, and delete the account when the grace period is over.',
  'sign-up/request': 'Send an email with a link that creates an account. The answer is the same for a known address.',
  'sign-up/confirm': 'Create the account of a link. The link can be used once.',
  'recovery/request': 'Send an email with a link that sets a new password. The answer is the same for an unknown user.',
  'recovery/inspect': 'Check the link of an email without using it.',
  'recovery/confirm': 'Set a new password with the link of an email. The link can be used once.',
  'factors/list': "List a user's second factors, without secrets.",
  'factors/begin': 'Begin the enrolment of a TOTP or HOTP factor: secret, URI and QR code.',
  'factors/confirm': 'Store the factor of an enrolment after one correct code.',
  'factors/passkey-options': 'Get the options with which a browser creates a passkey.',
  'factors/passkey': 'Store a passkey that a browser has created.',
  'factors/recovery-codes': "Replace a user's recovery codes. Only this response contains them.",
  'factors/pin': "Set a user's static PIN.",
  'factors/resync': 'Correct the clock or counter of a factor with two consecutive codes.',
  'factors/remove': "Remove one of a user's factors.",
  'factors/reset': "Remove all of a user's factors, for a user who has lost them.",
  'directories/check': 'Check the connection to each directory, step by step.',
  'directories/purge':
    'Remove users from the user cache of the server: those of a directory, those with a login name, or all.',
};
