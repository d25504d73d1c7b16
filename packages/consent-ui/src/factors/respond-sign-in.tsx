import type { SignIn } from '@carnet/accounts';
import { deviceCookie } from '../login/device-cookie.ts';
import { type Open, respondDecided } from '../page/flow.ts';
import { Notice } from '../page/notice.tsx';
import { respond } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { respondDeletion } from './respond-deletion.tsx';
import { respondChoice } from './respond-enrolment.tsx';
import { respondFactor } from './respond-factor.tsx';
import { respondNewPassword } from './respond-new-password.tsx';
import { signInUrl } from './sign-in-url.ts';

export interface Continuation {
  readonly signIn: SignIn;
  /** Whether the user wants to stay signed in. */
  readonly remember: boolean;
}

const accept = async (
  services: Services,
  { challenge, view }: Open<'login'>,
  { subject, acr, amr, device }: Extract<SignIn, { state: 'done' }>,
  remember: boolean,
): Promise<Response> => {
  const { api, formTokens, settings } = services;
  const acceptance = { subject, remember, remember_for: settings.rememberForSeconds, acr, amr };
  const accepted = await api.login.accept(challenge, acceptance);
  const kept = device === undefined ? undefined : deviceCookie(services).set(device);
  return respondDecided(view, 'login', accepted, formTokens.clear(challenge), kept);
};

/** The page of a sign-in that cannot continue, with a link to start again. */
const respondEnded = (
  { challenge, view }: Open<'login'>,
  signIn: Extract<SignIn, { state: 'refused' | 'expired' | 'limited' }>,
): Promise<Response> => {
  const { factors, login } = view.text;
  const isLimited = signIn.state === 'limited';
  const [title, text] = {
    refused: [factors.refusedTitle, factors.refused] as const,
    expired: [factors.expiredTitle, factors.expired] as const,
    limited: [factors.limitedTitle, login.tooMany(isLimited ? Math.ceil(signIn.retryAfterSeconds / 60) : 1)] as const,
  }[signIn.state];
  const action = { id: 'start-again', label: factors.startAgain, href: signInUrl(challenge) };
  return respond(view, <Notice view={view} title={title} text={text} action={action} />, {
    status: isLimited ? 429 : 401,
    retryAfterSeconds: isLimited ? signIn.retryAfterSeconds : undefined,
  });
};

/**
 * Continues a sign-in after any of its steps: accepts the login, or responds with the page of the next step. The pages
 * are responses to a POST, because `progress` must not be in a URL.
 */
export const respondSignIn = (
  services: Services,
  request: Request,
  open: Open<'login'>,
  { signIn, remember }: Continuation,
): Promise<Response> => {
  switch (signIn.state) {
    case 'done':
      return accept(services, open, signIn, remember);
    case 'factor':
      return respondFactor(services, request, open, { step: { ...signIn, remember, required: true } });
    case 'enrol':
      return respondChoice(services, request, open, { ...signIn, remember });
    case 'password_change':
      return respondNewPassword(services, request, open, { step: { ...signIn, remember, kinds: [], required: true } });
    case 'deletion': {
      const step = { ...signIn, remember, kinds: [], required: true };
      return respondDeletion(services, request, open, { step, deleteAt: signIn.deleteAt });
    }
    default:
      return respondEnded(open, signIn);
  }
};
