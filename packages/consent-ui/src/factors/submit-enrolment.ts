import { AccountsError } from '@carnet/accounts/client';
import { type Open, withOpenForm } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import { enrol, needsRecoveryCodes } from './enrol.tsx';
import { respondChoice, respondRecoveryCodes } from './respond-enrolment.tsx';
import { respondSignIn } from './respond-sign-in.tsx';
import { inputOf, type SignInStep, stepForm, stepOf } from './sign-in-step.ts';

/** `resume` after an enrolment, `skipEnrolment` without one. */
const proceed = async (
  open: Open<'login'>,
  step: SignInStep,
  operation: 'resume' | 'skipEnrolment',
): Promise<Response> => {
  const signIn = await open.services.accounts.signIn[operation](inputOf(open, step));
  return respondSignIn(open, signIn, step);
};

const finishEnrolment = async (open: Open<'login'>, step: SignInStep): Promise<Response> => {
  const { accounts } = open.services;
  const owner = { progress: step.progress, binding: open.challenge };
  if (!(await needsRecoveryCodes({ accounts, owner }))) return proceed(open, step, 'resume');
  const { codes } = await accounts.factors.recoveryCodes({ owner, language: open.view.language });
  return respondRecoveryCodes(open, step, codes);
};

const respondEnrolment = async (open: Open<'login'>, step: SignInStep, form: URLSearchParams): Promise<Response> => {
  const { view, challenge, services } = open;
  const { target, cookie } = stepForm(open, '/enrol', step);
  const owner = { progress: step.progress, binding: challenge };
  const result = await enrol({ accounts: services.accounts, owner, view, target }, form);
  switch (result.state) {
    case 'page':
      return respond(view, result.page, { status: result.status, cookie });
    case 'enrolled':
      return finishEnrolment(open, { ...step, progress: result.progress ?? step.progress });
    case 'limited':
      return respondSignIn(open, { state: 'limited', retryAfterSeconds: 300 }, step);
    case 'expired':
      return respondSignIn(open, result, step);
  }
};

const respondStep = (open: Open<'login'>, step: SignInStep, form: URLSearchParams): Promise<Response> => {
  switch (form.get('step')) {
    case 'choose':
      return respondChoice(open, step);
    case 'skip':
      return proceed(open, step, 'skipEnrolment');
    case 'finish':
      return proceed(open, step, 'resume');
    default:
      return respondEnrolment(open, step, form);
  }
};

/** POST /login/enrol: the pages of an enrolment during the sign-in. */
export const submitEnrolment = withOpenForm('login', async (open, form) => {
  const step = stepOf(form);
  try {
    return await respondStep(open, step, form);
  } catch (error) {
    if (!(error instanceof AccountsError) || error.code !== 'expired_progress') throw error;
    return respondSignIn(open, { state: 'expired' }, step);
  }
});
