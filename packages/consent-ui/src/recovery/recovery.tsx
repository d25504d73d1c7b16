import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { formAction } from '../page/challenge.ts';
import { Field, Form } from '../page/form.tsx';
import { Notice } from '../page/notice.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { type View, viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { challengeIn, existingUserUrl, returnToOf } from '../sign-up/return-to.ts';

const flowOf = (request: Request): string => challengeIn(request) ?? 'recovery';

const backOf = (request: Request): string => {
  const challenge = challengeIn(request);
  return challenge === undefined ? '/account' : existingUserUrl(challenge);
};

interface Shown {
  readonly login: string;
  readonly message?: string;
  readonly status?: number;
}

const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
  const { recovery, links } = view.text;
  const settings = await services.accounts.settings();
  if (!settings.passwordRecovery) {
    return respond(view, <Notice view={view} title={links.offTitle} text={links.off} />, { status: 404 });
  }
  const { token, cookie } = services.formTokens.issue(request, flowOf(request));
  const page = (
    <Page view={view} title={recovery.title}>
      <h1>{recovery.title}</h1>
      <p className="lead">{recovery.text}</p>
      <ProblemMessage message={shown.message} field="login" />
      <Form action={formAction(request)} token={token}>
        <Field
          name="login"
          label={recovery.login}
          inputMode="email"
          autoComplete="username"
          maxLength={320}
          value={shown.login}
          autoFocus
        />
        <div className="actions">
          <button id="accept" type="submit">
            {recovery.submit}
          </button>
        </div>
      </Form>
      <p className="fine">
        <a id="back" href={backOf(request)}>
          {recovery.back}
        </a>
      </p>
    </Page>
  );
  return respond(view, page, { status: shown.status, cookie });
};

/** GET /recovery: asks for the login of a user who has forgotten the password. */
export const showRecovery = (services: Services, request: Request): Promise<Response> =>
  respondForm(services, request, viewOf(services, request), { login: '' });

/** POST /recovery: the answer is the same for known and unknown logins. */
export const submitRecovery = async (services: Services, request: Request): Promise<Response> => {
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
    const [status, message] =
      result.error === 'limited' ? ([429, links.limited] as const) : ([404, links.off] as const);
    return respondForm(services, request, view, { login, status, message });
  }
  const page = (
    <Notice view={view} title={recovery.sentTitle} text={recovery.sent(<strong>{login}</strong>)}>
      <p>{signUp.sentHint}</p>
      <p className="fine">
        <a id="back" href={backOf(request)}>
          {recovery.back}
        </a>
      </p>
    </Notice>
  );
  return respond(view, page);
};
