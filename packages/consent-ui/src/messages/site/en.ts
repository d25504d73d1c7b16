/** The texts that every page shares, of errors and of the home page. */
export const sitePages = {
  language: { label: 'Language', change: 'Change' },
  /** The link at the foot of the pages. */
  help: 'Help',
  home: {
    title: 'Nothing to do here',
    text: 'Applications redirect you to this site to sign in. Open the application that you want to use, and sign in from there.',
  },
  error: {
    title: 'The request failed',
    home: 'Home',
    account: 'Your account',
    requestId: 'Request',
    code: 'Error',
    reported: 'Reported reason',
    unknown: 'The request could not be completed. Go back to the application and try again.',
    /** By error code (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
    codes: {
      access_denied: 'Access was denied.',
      invalid_request: 'The application sent a request that is not valid.',
      invalid_client: 'This service does not know the application.',
      invalid_scope: 'The application requested access that it is not allowed to request.',
      invalid_redirect_uri: 'The application requested a redirect to an address that it has not registered.',
      unauthorized_client: 'This application is not allowed to use this sign-in method.',
      unsupported_response_type: 'This application is not allowed to use this sign-in method.',
      login_required: 'You need to sign in first.',
      consent_required: 'You need to allow the access first.',
      // Ory Hydra also redirects browsers here with these errors; Carnet shows its own page.
      request_forbidden: 'This sign-in began in another browser, or its cookies were blocked.',
      temporarily_unavailable: 'The service is busy. Try again in a moment.',
      server_error: 'The service had an internal error.',
    },
  },
  retry: 'Try again',
  /** By the code of the problem. */
  problems: {
    missing_challenge: {
      title: 'This link is not valid',
      text: 'It may be incomplete. Go back to the application and sign in from there.',
    },
    invalid_link: {
      title: 'This link is not valid',
      text: 'It may be incomplete, or was opened in another browser. Go back to the application and sign in from there.',
    },
    forged_form: {
      title: 'This form is out of date',
      text: 'This page expired or cookies are blocked. Reload and try again.',
    },
    invalid_form: {
      title: 'This form could not be read',
      text: 'A field was missing, repeated or too long. Open the form again.',
    },
    api_unavailable: {
      title: 'You cannot sign in right now',
      text: 'The service does not answer. Wait a moment and try again.',
    },
    api_refused: {
      title: 'You could not be signed in',
      text: 'The service did not accept the response of this page. If it happens again, contact the operator of this site.',
    },
    foreign_redirect: {
      title: 'You were not signed in',
      text: 'The next step led to an unknown site. To be safe, you were not redirected there.',
    },
    directory_unavailable: {
      title: 'You cannot sign in right now',
      text: 'We could not check your account. Wait a moment and try again.',
    },
    server_error: { title: 'Something went wrong', text: 'This is not your fault. Try again.' },
  },
};
