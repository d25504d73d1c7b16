import { AccountsError } from '@carnet/accounts/client';
import type { Messages } from './messages/en.ts';

/** The status of every way in which a request to this UI can fail. `messages/` has the texts for the user. */
const statuses = {
  /** The URL has no challenge: the provider did not redirect here, or the URL is incomplete. */
  missing_challenge: 400,
  invalid_link: 404,
  forged_form: 403,
  invalid_form: 400,
  /** The admin API did not answer, or not within the time allowed, or with a 5xx. */
  api_unavailable: 503,
  /** The admin API refused this UI (a wrong token), or its response is not valid. */
  api_refused: 502,
  /** The admin API returned a redirect URL that is not under the issuer. */
  foreign_redirect: 502,
  directory_unavailable: 503,
  server_error: 500,
} as const satisfies Record<keyof Messages['problems'], number>;

export type ProblemCode = keyof typeof statuses;

/** The failure of a request. `cause` is logged and never shown on the page. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;

  constructor(code: ProblemCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.status = statuses[code];
  }
}

const codeOf = (thrown: unknown): ProblemCode => {
  if (!(thrown instanceof AccountsError)) return 'server_error';
  return thrown.code === 'unavailable' ? 'directory_unavailable' : 'api_refused';
};

/** The problem of what was thrown. Errors that are not of an API are bugs in this UI. */
export const toProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem(codeOf(thrown), { cause: thrown });
