import type { Accounts, ShownUser } from '@carnet/accounts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { Page, type PageProps } from '../page/page.tsx';
import { NewPasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { UserCard } from '../page/user-card.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Operation, Services } from '../services.ts';
import { returnPath } from '../sign-up/return-to.ts';

type Notice = Pick<PageProps, 'title' | 'text' | 'action'>;

/** An emailed link with which a user sets a password. */
interface PasswordLink {
  /** The path of the page, which is the flow of its form as well. */
  readonly path: string;
  inspect(accounts: Accounts, token: string): ReturnType<Accounts['recovery']['inspect']>;
  setPassword(
    accounts: Accounts,
    input: { token: string; password: string },
  ): ReturnType<Accounts['recovery']['confirm']>;
  texts(view: View): { readonly form: Notice; readonly invalid: Notice; readonly done: Notice };
}

const maximumLength = 8192;

interface Shown {
  readonly emailed: string;
  readonly user: ShownUser;
  readonly message?: string;
}

/** GET and POST of the page. The link stays valid until the POST. */
export const passwordLinkPages = (link: PasswordLink): readonly [show: Operation, submit: Operation] => {
  const { path } = link;

  const respondInvalid = (view: View): Promise<Response> =>
    respondNotice(view, link.texts(view).invalid, { status: 410 });

  const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
    const { recovery } = view.text;
    const { emailed, user, message } = shown;
    const isWrong = message !== undefined;
    const { minimumPasswordLength: minLength } = await services.accounts.settings();
    const { target, cookie } = issueForm(services, request, path, { action: path, hidden: { token: emailed } });
    const page = (
      <Page view={view} {...link.texts(view).form}>
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

  const inspect = async ({ accounts }: Services, emailed: string): Promise<ShownUser | undefined> => {
    if (emailed === '' || emailed.length > maximumLength) return undefined;
    const result = await link.inspect(accounts, emailed);
    return result.ok ? result.user : undefined;
  };

  const show: Operation = async (services, request) => {
    const view = viewOf(services, request);
    const emailed = new URL(request.url).searchParams.get('token') ?? '';
    const user = await inspect(services, emailed);
    return user === undefined ? respondInvalid(view) : respondForm(services, request, view, { emailed, user });
  };

  const submit: Operation = async (services, request) => {
    const form = await formBody(request);
    services.formTokens.check(request, path, form);
    const view = viewOf(services, request);
    const emailed = form.get('token') ?? '';
    const user = await inspect(services, emailed);
    if (user === undefined) return respondInvalid(view);
    const password = passwordIn(form, 'password');
    const result = await link.setPassword(services.accounts, { token: emailed, password });
    if (!result.ok) {
      if (result.error === 'invalid_token') return respondInvalid(view);
      return respondForm(services, request, view, { emailed, user, message: view.text.newPassword.weak });
    }
    const href = returnPath(services, request, result.returnTo);
    const action = { id: 'continue', label: view.text.links.continue, href };
    return respondNotice(view, { ...link.texts(view).done, action }, { cookie: services.formTokens.clear(path) });
  };
  return [show, submit];
};
