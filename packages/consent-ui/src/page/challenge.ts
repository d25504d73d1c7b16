import type { Challenged } from '../api/admin-api.ts';
import { Problem } from '../problem.ts';

const maximumLength = 8192;

/** The challenge in the URL of the page. @throws Problem `missing_challenge` */
export const challengeOf = (request: Request, flow: Challenged): string => {
  const challenge = new URL(request.url).searchParams.get(`${flow}_challenge`);
  if (!challenge || challenge.length > maximumLength) throw new Problem('missing_challenge');
  return challenge;
};
