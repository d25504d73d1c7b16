import type { ShownUser } from '@carnet/accounts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { NewPasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { UserCard } from '../page/user-card.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Operation, Services } from '../services.ts';
import { returnPath } from '../sign-up/return-to.ts';

const flow = 'recovery-password';
const maximumLength = 8192;

const respondInvalid = (view: View): Promise<Response> => {
  const { links, recovery } = view.text;
  const action = { id: 'again', label: recovery.another, href: '/recovery' };
  return respondNotice(view, { title: links.invalidTitle, text: links.invalid, action }, { status: 410 });
};

interface Shown {
  readonly emailed: string;
  readonly user: ShownUser;
  readonly message?: string;
}

const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
  const { recovery } = view.text;
  const { emailed, user, message } = shown;
  const isWrong = message !== undefined;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { target, cookie } = issueForm(services, request, flow, {
    action: '/recovery/password',
    hidden: { token: emailed },
  });
  const page = (
    <Page view={view} title={recovery.passwordTitle}>
      <UserCard {...user} />
      <ProblemMessage message={message} field="password" />
      <Form {...target}>
        <NewPasswordField view={view} label={recovery.password} minLength={minLength} isWrong={isWrong} autoFocus />
        <Submit label={recovery.save} />
      </Form>
    </Page>
  );
  return respond(view, page, { status: isWrong ? 400 : 200, cookie });
};

const inspect = async (services: Services, emailed: string): Promise<ShownUser | undefined> => {
  if (emailed === '' || emailed.length > maximumLength) return undefined;
  const result = await services.accounts.recovery.inspect({ token: emailed });
  return result.ok ? result.user : undefined;
};

/** GET /recovery/password?token=...: the page of an emailed link. The link stays valid until the POST. */
export const showRecoveryPassword: Operation = async (services, request) => {
  const view = viewOf(services, request);
  const emailed = new URL(request.url).searchParams.get('token') ?? '';
  const user = await inspect(services, emailed);
  return user === undefined ? respondInvalid(view) : respondForm(services, request, view, { emailed, user });
};

/** POST /recovery/password. */
export const submitRecoveryPassword: Operation = async (services, request) => {
  const form = await formBody(request);
  services.formTokens.check(request, flow, form);
  const view = viewOf(services, request);
  const emailed = form.get('token') ?? '';
  const user = await inspect(services, emailed);
  if (user === undefined) return respondInvalid(view);
  const password = passwordIn(form, 'password');
  const result = await services.accounts.recovery.confirm({ token: emailed, password });
  const { recovery, links } = view.text;
  if (!result.ok) {
    if (result.error === 'invalid_token') return respondInvalid(view);
    return respondForm(services, request, view, { emailed, user, message: view.text.newPassword.weak });
  }
  const action = { id: 'continue', label: links.continue, href: returnPath(services, request, result.returnTo) };
  const cookie = services.formTokens.clear(flow);
  return respondNotice(view, { title: recovery.doneTitle, text: recovery.done, action }, { cookie });
};
