import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { Field, Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { type View, viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { challengeIn, existingUserUrl, returnToOf } from '../sign-up/return-to.ts';

const flowOf = (request: Request): string => challengeIn(request) ?? 'recovery';

interface Shown {
  readonly login: string;
  readonly message?: string;
  readonly status?: number;
}

const backLink = ({ text }: View, request: Request) => (
  <LinkLine id="back" href={existingUserUrl(challengeIn(request))} label={text.recovery.back} isFine />
);

const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
  const { recovery, links } = view.text;
  const settings = await services.accounts.settings();
  if (!settings.passwordRecovery)
    return respondNotice(view, { title: links.offTitle, text: links.off }, { status: 404 });
  const { target, cookie } = issueForm(services, request, flowOf(request));
  const page = (
    <Page view={view} title={recovery.title} text={recovery.text}>
      <ProblemMessage message={shown.message} field="login" />
      <Form {...target}>
        <Field
          name="login"
          label={recovery.login}
          inputMode="email"
          autoComplete="username"
          maxLength={320}
          value={shown.login}
          autoFocus
        />
        <Submit label={recovery.submit} />
      </Form>
      {backLink(view, request)}
    </Page>
  );
  return respond(view, page, { status: shown.status, cookie });
};

/** GET /recovery: asks for the login of a user who has forgotten the password. */
export const showRecovery: Operation = (services, request) =>
  respondForm(services, request, viewOf(services, request), { login: '' });

/** POST /recovery: the answer is the same for known and unknown logins. */
export const submitRecovery: Operation = async (services, request) => {
  const form = await formBody(request);
  services.formTokens.check(request, flowOf(request), form);
  const view = viewOf(services, request);
  const login = (form.get('login') ?? '').trim();
  if (login === '' || login.length > 320) throw new Problem('invalid_form');
  const { uiUrl, trustedProxyHops } = services.settings;
  const result = await services.accounts.recovery.request({
    login,
    language: view.language,
    linkBase: new URL('/recovery/password', uiUrl).href,
    returnTo: returnToOf(uiUrl, challengeIn(request)),
    address: clientAddress(request, trustedProxyHops),
  });
  const { recovery, signUp, links } = view.text;
  if (!result.ok) {
    const refusal =
      result.error === 'limited' ? { status: 429, message: links.limited } : { status: 404, message: links.off };
    return respondForm(services, request, view, { login, ...refusal });
  }
  const page = (
    <Page view={view} title={recovery.sentTitle} text={recovery.sent(<strong>{login}</strong>)}>
      <p>{signUp.sentHint}</p>
      {backLink(view, request)}
    </Page>
  );
  return respond(view, page);
};
