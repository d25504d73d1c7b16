import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieValues } from '../http/cookies.ts';
import { Problem } from '../problem.ts';

export const formTokenField = 'form_token';

export interface FormTokens {
  /** A token for a form of this flow, and its Set-Cookie value. Earlier forms of the flow stay valid. */
  issue(request: Request, challenge: string): { token: string; cookie: string };
  /** @throws Problem `forged_form` unless the POST comes from a form that this UI sent to this browser */
  check(request: Request, challenge: string, form: URLSearchParams): void;
  /** Whether this browser has seen a form of this flow that is not finished. */
  isKnown(request: Request, challenge: string): boolean;
  /** The Set-Cookie value that clears the cookie of a finished flow. */
  clear(challenge: string): string;
}

const tokenPattern = /^[\w-]{32}$/;
const maxAgeSeconds = 1800;

const isCrossOrigin = (request: Request): boolean => {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get('host');
};

const isEqual = (left: string, right: string): boolean => {
  if (!tokenPattern.test(left) || !tokenPattern.test(right)) return false;
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
};

/**
 * Protection of the forms against being posted by other sites.
 *
 * Safe because a POST is accepted only if its token equals the HttpOnly cookie of the same flow, which another site can
 * neither read nor,
 * with `__Host-` on https, set. What the browser says of the post's origin only refuses more: a page with
 * `Referrer-Policy:
 * no-referrer` posts `Origin: null`, and old browsers send no Sec-Fetch-Site, so their absence proves nothing.
 */
export const createFormTokens = ({ secure }: { secure: boolean }): FormTokens => {
  const nameOf = (challenge: string) => {
    // The name contains the flow, so that forms in several tabs do not overwrite each other's cookie.
    const flow = createHash('sha256').update(challenge).digest('base64url').slice(0, 12);
    return `${secure ? '__Host-' : ''}carnet_form_${flow}`;
  };
  const cookie = (challenge: string, value: string, seconds: number) =>
    `${nameOf(challenge)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`;

  return {
    issue: (request, challenge) => {
      const [known] = cookieValues(request, nameOf(challenge));
      const token = known && tokenPattern.test(known) ? known : randomBytes(24).toString('base64url');
      return { token, cookie: cookie(challenge, token, maxAgeSeconds) };
    },
    check: (request, challenge, form) => {
      if (isCrossOrigin(request)) throw new Problem('forged_form', { cause: 'posted by another origin' });
      const [token, ...others] = cookieValues(request, nameOf(challenge));
      const matches = token !== undefined && others.length === 0 && isEqual(token, form.get(formTokenField) ?? '');
      if (!matches) throw new Problem('forged_form', { cause: 'the form token and its cookie differ' });
    },
    isKnown: (request, challenge) => cookieValues(request, nameOf(challenge)).length > 0,
    clear: (challenge) => cookie(challenge, '', 0),
  };
};
