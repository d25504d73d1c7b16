import type { Services } from '../services.ts';

const maximumLength = 8192;

/** The challenge of the sign-in that the user came from, if there is one. */
export const challengeIn = (request: Request): string | undefined => {
  const challenge = new URL(request.url).searchParams.get('login_challenge');
  return challenge !== null && challenge !== '' && challenge.length < maximumLength ? challenge : undefined;
};

/**
 * The sign-in page of a challenge, where `account=other` keeps `prompt=create` from leading back to the sign-up page; without
 * one the account page.
 */
export const existingUserUrl = (challenge: string | undefined): string =>
  challenge === undefined
    ? '/account'
    : `/login?${new URLSearchParams({ login_challenge: challenge, account: 'other' })}`;

/** The `return_to` of an emailed link. Without it, if the challenge is too long, the link leads to a new sign-in. */
export const returnToOf = (uiUrl: URL, challenge: string | undefined): string | undefined => {
  const url = challenge && new URL(existingUserUrl(challenge), uiUrl).href;
  return url && url.length <= maximumLength ? url : undefined;
};

/**
 * The path to which an emailed link leads in the end: the sign-in that the user came from, or the account page, which begins
 * a new sign-in. The link leads to the sign-in only in the browser that has the cookie of its form: in another browser, the
 * provider would refuse the sign-in.
 *
 * Safe because only the challenge is taken from the URL: the path is fixed.
 */
export const returnPath = (
  { formTokens }: Pick<Services, 'formTokens'>,
  request: Request,
  returnTo: string | undefined,
): string => {
  const challenge = URL.parse(returnTo ?? '')?.searchParams.get('login_challenge');
  return existingUserUrl(challenge && formTokens.isKnown(request, challenge) ? challenge : undefined);
};
