import type { ShownUser } from '@carnet/accounts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { Form } from '../page/form.tsx';
import { Notice } from '../page/notice.tsx';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import { returnPath } from '../sign-up/return-to.ts';

const flow = 'recovery-password';
const maximumLength = 8192;

const respondInvalid = (view: View): Promise<Response> => {
  const { links, recovery } = view.text;
  const action = { id: 'again', label: recovery.another, href: '/recovery' };
  return respond(view, <Notice view={view} title={links.invalidTitle} text={links.invalid} action={action} />, {
    status: 410,
  });
};

interface Shown {
  readonly emailed: string;
  readonly user: ShownUser;
  readonly message?: string;
}

const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
  const { recovery, newPassword } = view.text;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { token, cookie } = services.formTokens.issue(request, flow);
  const page = (
    <Page view={view} title={recovery.passwordTitle}>
      <h1>{recovery.passwordTitle}</h1>
      <UserCard {...shown.user} />
      <ProblemMessage message={shown.message} field="password" />
      <Form action="/recovery/password" token={token} hidden={{ token: shown.emailed }}>
        <PasswordField
          view={view}
          name="password"
          label={recovery.password}
          hint={newPassword.hint(minLength)}
          autoComplete="new-password"
          minLength={minLength}
          isInvalid={shown.message !== undefined}
          autoFocus
        />
        <div className="actions">
          <button id="accept" type="submit">
            {recovery.save}
          </button>
        </div>
      </Form>
    </Page>
  );
  return respond(view, page, { status: shown.message === undefined ? 200 : 400, cookie });
};

const inspect = async (services: Services, emailed: string): Promise<ShownUser | undefined> => {
  if (emailed === '' || emailed.length > maximumLength) return undefined;
  const result = await services.accounts.recovery.inspect({ token: emailed });
  return result.ok ? result.user : undefined;
};

/** GET /recovery/password?token=...: the page of an emailed link. The link stays valid until the POST. */
export const showRecoveryPassword = async (services: Services, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  const emailed = new URL(request.url).searchParams.get('token') ?? '';
  const user = await inspect(services, emailed);
  return user === undefined ? respondInvalid(view) : respondForm(services, request, view, { emailed, user });
};

/** POST /recovery/password. */
export const submitRecoveryPassword = async (services: Services, request: Request): Promise<Response> => {
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
  const action = {
    id: 'continue',
    label: links.continue,
    href: returnPath(services, request, result.returnTo),
  };
  return respond(view, <Notice view={view} title={recovery.doneTitle} text={recovery.done} action={action} />, {
    cookie: services.formTokens.clear(flow),
  });
};
