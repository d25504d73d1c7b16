import type { SignIn } from '@carnet/accounts';
import { rememberSignIn } from '../chooser/remember-sign-in.ts';
import { deviceCookie } from '../login/device-cookie.ts';
import { respondOrganizations } from '../organizations/choose-organization.tsx';
import { type Open, rejectLogin, respondDecided } from '../page/flow.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { respondChoice } from './respond-enrolment.tsx';
import { chosenKind, respondFactor } from './respond-factor.tsx';
import { respondDeletion, respondNewPassword } from './respond-other-step.tsx';
import { type FactorKind, inputOf, type KeptInSignIn, type SignInStep, signInUrl } from './sign-in-step.ts';

const accept = async (
  open: Open<'login'>,
  signIn: Extract<SignIn, { state: 'done' }>,
  kept: KeptInSignIn,
): Promise<Response> => {
  const { services, challenge, view } = open;
  const { subject, acr, amr, authTime, device, claims, organization } = signIn;
  const { api, accounts, formTokens, settings } = services;
  const { providersOnly } = await accounts.settings();
  const context = { ...(providersOnly && { claims }), ...(organization !== undefined && { organization }) };
  // Claims that are stored nowhere go to the consent with this login. A remembered login would have none.
  const remember = kept.remember && !providersOnly;
  const acceptance = {
    subject,
    remember,
    remember_for: settings.rememberForSeconds,
    ...(Object.keys(context).length > 0 && { context }),
    ...{ acr, amr },
    // Only a provider may have authenticated the user earlier than in this sign-in.
    ...(amr.includes('fed') && { auth_time: authTime }),
  };
  const accepted = await api.login.accept(challenge, acceptance);
  const cookie = device === undefined ? undefined : deviceCookie(services).set(device);
  const remembered = rememberSignIn(open, signIn, { ...kept, remember });
  return respondDecided(view, 'login', accepted, formTokens.clear(challenge), cookie, ...remembered);
};

/** The page of a sign-in that cannot continue, with a link to start again. */
const respondEnded = (
  { challenge, view }: Open<'login'>,
  signIn: Extract<SignIn, { state: 'refused' | 'expired' | 'limited' }>,
): Promise<Response> => {
  const { factors, login } = view.text;
  const action = { id: 'start-again', label: factors.startAgain, href: signInUrl(challenge) };
  if (signIn.state !== 'limited') {
    const [title, text] =
      signIn.state === 'refused' ? [factors.refusedTitle, factors.refused] : [factors.expiredTitle, factors.expired];
    return respondNotice(view, { title, text, action }, { status: 401 });
  }
  const { retryAfterSeconds } = signIn;
  const text = login.tooMany(Math.ceil(retryAfterSeconds / 60));
  return respondNotice(view, { title: factors.limitedTitle, text, action }, { status: 429, retryAfterSeconds });
};

/** The page of a second factor of this kind. A code by email is sent first: it belongs to the progress of the page. */
export const respondFactorStep = async (
  open: Open<'login'>,
  step: SignInStep,
  choice?: FactorKind,
): Promise<Response> => {
  const { services, view } = open;
  const kind = chosenKind(step, choice);
  if (kind !== 'email') return respondFactor(open, { step, kind });
  const sent = await services.accounts.signIn.sendCode({ ...inputOf(open, step), language: view.language });
  if (sent.state === 'factor') return respondFactor(open, { step: { ...step, progress: sent.progress }, kind });
  if (sent.state !== 'limited') return respondSignIn(open, sent, step);
  // The code of the last email is still valid: the page asks for it.
  const message = view.text.factors.noMoreCodes;
  return respondFactor(open, { step, kind, message, retryAfterSeconds: sent.retryAfterSeconds });
};

/**
 * Continues a sign-in after any of its steps: accepts the login, or responds with the page of the next step. The pages
 * are responses to a POST, because `progress` must not be in a URL.
 */
export const respondSignIn = (open: Open<'login'>, signIn: SignIn, given: KeptInSignIn): Promise<Response> => {
  const kept: KeptInSignIn = { remember: given.remember, link: given.link, provider: given.provider };
  switch (signIn.state) {
    case 'done':
      return accept(open, signIn, kept);
    case 'factor':
      return respondFactorStep(open, { ...signIn, ...kept, required: true });
    case 'enrol':
      return respondChoice(open, { ...signIn, ...kept });
    case 'choose_organization':
      return respondOrganizations(open, signIn.organizations, { ...signIn, ...kept, kinds: [], required: true });
    case 'not_member':
      return rejectLogin(open, 'access_denied', 'The user is not a member of the organization.');
    case 'password_change':
      return respondNewPassword(open, { ...signIn, ...kept, kinds: [], required: true });
    case 'deletion':
      return respondDeletion(open, { ...signIn, ...kept, kinds: [], required: true }, signIn.deleteAt);
    default:
      return respondEnded(open, signIn);
  }
};
