import { dayText } from '../account/dates.ts';
import type { Open } from '../page/flow.ts';
import { Form } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import type { Services } from '../services.ts';
import { hiddenFields, type SignInStep } from './sign-in-step.ts';
import { signInUrl } from './sign-in-url.ts';

export interface ShownDeletion {
  readonly step: SignInStep;
  /** ISO 8601. */
  readonly deleteAt: Date;
}

/** The page of a user who has asked to be deleted: the account can be kept, or the sign-in ends here. */
export const respondDeletion = (
  services: Services,
  request: Request,
  { challenge, view }: Open<'login'>,
  { step, deleteAt }: ShownDeletion,
): Promise<Response> => {
  const { deletion } = view.text;
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const page = (
    <Page view={view} title={deletion.keepTitle}>
      <h1>{deletion.keepTitle}</h1>
      <p className="lead">{deletion.keepText(dayText(view.language, deleteAt))}</p>
      <UserCard {...step.user} />
      <Form action={signInUrl(challenge, '/keep-account')} token={token} hidden={hiddenFields(step)}>
        <div className="actions">
          <button id="accept" type="submit">
            {deletion.keep}
          </button>
          <a className="button plain" id="back" href={signInUrl(challenge)}>
            {view.text.account.cancel}
          </a>
        </div>
      </Form>
    </Page>
  );
  return respond(view, page, { cookie });
};
