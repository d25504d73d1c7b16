import type { FormTokens } from '../csrf/form-token.ts';

const maximumLength = 8192;

/** The challenge of the sign-in that the user came from, if there is one. */
export const challengeIn = (request: Request): string | undefined => {
  const challenge = new URL(request.url).searchParams.get('login_challenge');
  return challenge !== null && challenge !== '' && challenge.length < maximumLength ? challenge : undefined;
};

/** The sign-in page of a challenge. `account=other` keeps `prompt=create` from leading back to the sign-up page. */
export const existingUserUrl = (challenge: string): string =>
  `/login?${new URLSearchParams({ login_challenge: challenge, account: 'other' })}`;

/** The `return_to` of an emailed link. Without it, if the challenge is too long, the link leads to a new sign-in. */
export const returnToOf = (uiUrl: URL, challenge: string | undefined): string | undefined => {
  const url = challenge && new URL(existingUserUrl(challenge), uiUrl).href;
  return url && url.length <= maximumLength ? url : undefined;
};

interface Dependencies {
  readonly formTokens: Pick<FormTokens, 'isKnown'>;
}

/**
 * The path to which an emailed link leads in the end: the sign-in that the user came from, or the account page, which begins
 * a new sign-in. The link leads to the sign-in only in the browser that has the cookie of its form: in another browser, the
 * provider would refuse the sign-in.
 *
 * Safe because only the challenge is taken from the URL: the path is fixed.
 */
export const returnPath = ({ formTokens }: Dependencies, request: Request, returnTo: string | undefined): string => {
  const challenge =
    returnTo && URL.canParse(returnTo) ? new URL(returnTo).searchParams.get('login_challenge') : undefined;
  return challenge && formTokens.isKnown(request, challenge) ? existingUserUrl(challenge) : '/account';
};
