import { AccountsError } from '@carnet/accounts/client';
import { type Open, withOpenForm } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { enrol, needsRecoveryCodes } from './enrol.tsx';
import { respondChoice, respondRecoveryCodes } from './respond-enrolment.tsx';
import { respondSignIn } from './respond-sign-in.tsx';
import { contextOf, hiddenFields, type SignInStep, stepOf } from './sign-in-step.ts';
import { signInUrl } from './sign-in-url.ts';

interface Submission {
  readonly services: Services;
  readonly request: Request;
  readonly open: Open<'login'>;
  readonly step: SignInStep;
}

/** `resume` after an enrolment, `skipEnrolment` without one. */
const proceed = async (
  { services, request, open, step }: Submission,
  operation: 'resume' | 'skipEnrolment',
): Promise<Response> => {
  const input = { ...contextOf(services, request, open), progress: step.progress };
  const signIn = await services.accounts.signIn[operation](input);
  return respondSignIn(services, request, open, { signIn, remember: step.remember });
};

const finishEnrolment = async (submission: Submission): Promise<Response> => {
  const { services, request, open, step } = submission;
  const accounts = services.accounts;
  const owner = { progress: step.progress, binding: open.challenge };
  if (!(await needsRecoveryCodes({ accounts, owner }))) return proceed(submission, 'resume');
  const { codes } = await accounts.factors.recoveryCodes({ owner, language: open.view.language });
  return respondRecoveryCodes(services, request, open, { step, codes });
};

const respondEnrolment = async (submission: Submission, form: URLSearchParams): Promise<Response> => {
  const { services, request, open, step } = submission;
  const { challenge, view } = open;
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const target = { action: signInUrl(challenge, '/enrol'), token, hidden: hiddenFields(step) };
  const owner = { progress: step.progress, binding: challenge };
  const result = await enrol({ accounts: services.accounts, owner, view, target }, form);
  switch (result.state) {
    case 'page':
      return respond(view, result.page, { status: result.status, cookie });
    case 'enrolled':
      return finishEnrolment({ ...submission, step: { ...step, progress: result.progress ?? step.progress } });
    case 'limited':
      return respondSignIn(services, request, open, {
        signIn: { state: 'limited', retryAfterSeconds: 300 },
        remember: step.remember,
      });
    case 'expired':
      return respondSignIn(services, request, open, { signIn: result, remember: step.remember });
  }
};

const respondStep = (submission: Submission, form: URLSearchParams): Promise<Response> => {
  const { services, request, open } = submission;
  switch (form.get('step')) {
    case 'choose':
      return respondChoice(services, request, open, submission.step);
    case 'skip':
      return proceed(submission, 'skipEnrolment');
    case 'finish':
      return proceed(submission, 'resume');
    default:
      return respondEnrolment(submission, form);
  }
};

/** POST /login/enrol: the pages of an enrolment during the sign-in. */
export const submitEnrolment = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const submission: Submission = { services, request, open, step: stepOf(form) };
    try {
      return await respondStep(submission, form);
    } catch (error) {
      if (!(error instanceof AccountsError) || error.code !== 'expired_progress') throw error;
      const { remember } = submission.step;
      return respondSignIn(services, request, open, { signIn: { state: 'expired' }, remember });
    }
  });
