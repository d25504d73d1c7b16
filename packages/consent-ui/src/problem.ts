/** Every way in which a request to this UI can fail, with the text for the user. */
const table = {
  /** The URL has no challenge: the provider did not redirect here, or the URL is incomplete. */
  missing_challenge: {
    status: 400,
    title: 'This link is not valid',
    text: 'It may be incomplete. Go back to the application and sign in from there.',
  },
  invalid_link: {
    status: 404,
    title: 'This link is not valid',
    text: 'It may be incomplete, or was opened in another browser. Go back to the application and sign in from there.',
  },
  forged_form: {
    status: 403,
    title: 'This form is out of date',
    text: 'This page expired or cookies are blocked. Reload and try again.',
  },
  invalid_form: {
    status: 400,
    title: 'This form could not be read',
    text: 'A field was missing, repeated or too long. Open the form again.',
  },
  /** The admin API did not answer, or not within the time allowed, or with a 5xx. */
  api_unavailable: {
    status: 503,
    title: 'You cannot sign in right now',
    text: 'The service does not answer. Wait a moment and try again.',
  },
  /** The admin API refused this UI (a wrong token), or its response is not valid. */
  api_refused: {
    status: 502,
    title: 'You could not be signed in',
    text: 'The service did not accept the response of this page. If it happens again, contact the operator of this site.',
  },
  /** The admin API returned a redirect URL that is not under the issuer. */
  foreign_redirect: {
    status: 502,
    title: 'You were not signed in',
    text: 'The next step led to an unknown site. To be safe, you were not redirected there.',
  },
  directory_unavailable: {
    status: 503,
    title: 'You cannot sign in right now',
    text: 'We could not check your account. Wait a moment and try again.',
  },
  server_error: { status: 500, title: 'Something went wrong', text: 'This is not your fault. Try again.' },
} as const satisfies Record<string, { status: number; title: string; text: string }>;

export type ProblemCode = keyof typeof table;

/** The failure of a request. `cause` is logged and never shown on the page. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly text: string;

  constructor(code: ProblemCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.status = table[code].status;
    this.title = table[code].title;
    this.text = table[code].text;
  }
}

/** The thrown problem. Any other error is a bug in this UI and becomes a `server_error`. */
export const toProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem('server_error', { cause: thrown });
