/** Every way in which a request to this UI can fail, and what the person reads then. */
const table = {
  /** Nobody was sent here by the provider, or not all of its address arrived. */
  missing_challenge: {
    status: 400,
    title: 'This link is not valid',
    text: 'It may have been cut off. Go back to the application and sign in from there.',
  },
  invalid_link: {
    status: 404,
    title: 'This link is not valid',
    text: 'It may have been cut off or opened in a different place. Go back to the application and sign in from there.',
  },
  forged_form: {
    status: 403,
    title: 'This form is out of date',
    text: 'Your browser did not send what this page needs to know that it was you. Cookies must be allowed. Open the form again.',
  },
  invalid_form: {
    status: 400,
    title: 'This form could not be read',
    text: 'A field was missing, repeated or too long. Open the form again.',
  },
  /** The admin API did not answer, or not within the time allowed, or with a 5xx. */
  api_unavailable: {
    status: 503,
    title: 'Sign-in is not available right now',
    text: 'The sign-in service does not answer. Nothing is lost: wait a moment and try again.',
  },
  /** The admin API refused this UI: a wrong token, or an answer nobody can read. */
  api_refused: {
    status: 502,
    title: 'Sign-in could not go on',
    text: 'The sign-in service did not accept the answer of this page. If it happens again, tell whoever runs this site.',
  },
  /** The admin API named a place to go that is not the issuer's. */
  foreign_redirect: {
    status: 502,
    title: 'Sign-in was stopped',
    text: 'The next step led to a place that this site does not know. To be safe, nobody was sent there.',
  },
  directory_unavailable: {
    status: 503,
    title: 'We can’t check who you are right now',
    text: 'We could not check your account. Wait a moment and try again.',
  },
  server_error: { status: 500, title: 'Something went wrong', text: 'This is not your fault. Try again.' },
} as const satisfies Record<string, { status: number; title: string; text: string }>;

export type ProblemCode = keyof typeof table;

/** A request that can't be answered as asked; `cause` goes to the log, never to the page. */
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

/** The problem that was thrown; anything else that was is our own bug and becomes a `server_error`. */
export const toProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem('server_error', { cause: thrown });
