import type { Open } from '../page/flow.ts';
import { Form, Submit } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import { ChoicePage } from './choice-page.tsx';
import { RecoveryCodesPage } from './recovery-codes-page.tsx';
import { type SignInStep, stepForm } from './sign-in-step.ts';

/** The page on which the user chooses a second factor during the sign-in. */
export const respondChoice = (open: Open<'login'>, step: SignInStep): Promise<Response> => {
  const { view } = open;
  const { target, cookie } = stepForm(open, '/enrol', step);
  const { enrolment } = view.text;
  const page = (
    <ChoicePage
      view={view}
      text={step.required ? enrolment.required : enrolment.optional}
      user={step.user}
      kinds={step.kinds}
      target={target}
      canSkip={!step.required}
    />
  );
  return respond(view, page, { cookie });
};

/** The page with the recovery codes, after the first enrolment. */
export const respondRecoveryCodes = (
  open: Open<'login'>,
  step: SignInStep,
  codes: readonly string[],
): Promise<Response> => {
  const { view } = open;
  const { target, cookie } = stepForm(open, '/enrol', step);
  const page = (
    <RecoveryCodesPage view={view} codes={codes}>
      <Form {...target} hidden={{ ...target.hidden, step: 'finish' }} className="second">
        <Submit label={view.text.recoveryCodes.saved} />
      </Form>
    </RecoveryCodesPage>
  );
  return respond(view, page, { cookie });
};
