import type { ReactNode } from 'react';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { type AccountContext, accountFlow } from './account-context.ts';

export interface FormPage {
  readonly title: string;
  /** Default `title`. */
  readonly heading?: ReactNode;
  readonly text?: ReactNode;
  readonly problem?: { readonly field: string; readonly message: string } | undefined;
  readonly button: string;
  readonly fields?: ReactNode;
}

/** A page with one form and a way back to the account. */
export const respondForm = (
  { services, request, view }: AccountContext,
  { problem, button, fields, ...texts }: FormPage,
): Promise<Response> => {
  const { target, cookie } = issueForm(services, request, accountFlow);
  const page = (
    <Page view={view} {...texts}>
      <ProblemMessage message={problem?.message} field={problem?.field ?? ''} />
      <Form {...target}>
        {fields}
        <Submit label={button}>
          <a className="button plain" id="back" href="/account">
            {view.text.account.cancel}
          </a>
        </Submit>
      </Form>
    </Page>
  );
  return respond(view, page, { status: problem ? 400 : 200, cookie });
};
