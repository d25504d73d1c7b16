import type { Open } from '../page/flow.ts';
import { Form } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { ChoicePage } from './choice-page.tsx';
import { RecoveryCodesPage } from './recovery-codes-page.tsx';
import { hiddenFields, type SignInStep } from './sign-in-step.ts';
import { signInUrl } from './sign-in-url.ts';

/** The page on which the user chooses a second factor during the sign-in. */
export const respondChoice = (
  { formTokens }: Services,
  request: Request,
  { challenge, view }: Open<'login'>,
  step: SignInStep,
): Promise<Response> => {
  const { token, cookie } = formTokens.issue(request, challenge);
  const { enrolment } = view.text;
  const page = (
    <ChoicePage
      view={view}
      title={enrolment.title}
      text={step.required ? enrolment.required : enrolment.optional}
      user={step.user}
      kinds={step.kinds}
      target={{ action: signInUrl(challenge, '/enrol'), token, hidden: hiddenFields(step) }}
      canSkip={!step.required}
    />
  );
  return respond(view, page, { cookie });
};

/** The page with the recovery codes, after the first enrolment. */
export const respondRecoveryCodes = (
  { formTokens }: Services,
  request: Request,
  { challenge, view }: Open<'login'>,
  { step, codes }: { readonly step: SignInStep; readonly codes: readonly string[] },
): Promise<Response> => {
  const { token, cookie } = formTokens.issue(request, challenge);
  const page = (
    <RecoveryCodesPage view={view} codes={codes}>
      <Form
        action={signInUrl(challenge, '/enrol')}
        token={token}
        hidden={{ ...hiddenFields(step), step: 'finish' }}
        className="second"
      >
        <div className="actions">
          <button id="accept" type="submit">
            {view.text.recoveryCodes.saved}
          </button>
        </div>
      </Form>
    </RecoveryCodesPage>
  );
  return respond(view, page, { cookie });
};
