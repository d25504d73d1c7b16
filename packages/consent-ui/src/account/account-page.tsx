import type { ReactNode } from 'react';
import { Form, type FormTarget } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { type ResponseExtras, respond } from '../page/respond.ts';
import { type AccountContext, accountFlow } from './account-context.ts';

/** The target of a form that posts to its own page, and the cookie of its token. */
export const targetOf = (
  { services, request }: Pick<AccountContext, 'services' | 'request'>,
  hidden?: FormTarget['hidden'],
): { readonly target: FormTarget; readonly cookie: string } => {
  const { token, cookie } = services.formTokens.issue(request, accountFlow);
  const { pathname, search } = new URL(request.url);
  return { target: { action: pathname + search, token, hidden }, cookie };
};

interface FormPage {
  readonly title: ReactNode;
  /** For the title bar of the browser, if `title` has elements. */
  readonly heading: string;
  readonly text?: ReactNode;
  readonly problem?: { readonly field: string; readonly message: string } | undefined;
  readonly button: string;
  readonly fields?: ReactNode;
  readonly extras?: Omit<ResponseExtras, 'cookie'>;
}

/** A page with one form and a way back to the account. */
export const respondForm = (
  context: AccountContext,
  { title, heading, text, problem, button, fields, extras }: FormPage,
): Promise<Response> => {
  const { view } = context;
  const { target, cookie } = targetOf(context);
  const page = (
    <Page view={view} title={heading}>
      <h1>{title}</h1>
      {text && <p className="lead">{text}</p>}
      <ProblemMessage message={problem?.message} field={problem?.field ?? ''} />
      <Form {...target}>
        {fields}
        <div className="actions">
          <button id="accept" type="submit">
            {button}
          </button>
          <a className="button plain" id="back" href="/account">
            {view.text.account.cancel}
          </a>
        </div>
      </Form>
    </Page>
  );
  return respond(view, page, { status: problem ? 400 : 200, ...extras, cookie });
};
