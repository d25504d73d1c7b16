import { accountsOf } from '../factors/accounts.ts';
import { formBody } from '../http/form-body.ts';
import { Form } from '../page/form.tsx';
import { Notice } from '../page/notice.tsx';
import { respond } from '../page/respond.ts';
import { viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import { returnPath } from './return-to.ts';

const flow = 'sign-up-confirm';
const maximumLength = 8192;

/**
 * GET /sign-up/confirm?token=...: asks the user to confirm. The token is used by the POST only, because mail programs open
 * links to check them.
 */
export const showConfirmSignUp = async (services: Services, request: Request): Promise<Response> => {
  accountsOf(services);
  const view = viewOf(services, request);
  const { signUp } = view.text;
  const { token, cookie } = services.formTokens.issue(request, flow);
  const emailed = (new URL(request.url).searchParams.get('token') ?? '').slice(0, maximumLength);
  const page = (
    <Notice view={view} title={signUp.confirmTitle} text={signUp.confirmText}>
      <Form action="/sign-up/confirm" token={token} hidden={{ token: emailed }}>
        <div className="actions">
          <button id="accept" type="submit">
            {signUp.confirm}
          </button>
        </div>
      </Form>
    </Notice>
  );
  return respond(view, page, { cookie });
};

/** POST /sign-up/confirm. */
export const submitConfirmSignUp = async (services: Services, request: Request): Promise<Response> => {
  const form = await formBody(request);
  services.formTokens.check(request, flow, form);
  const view = viewOf(services, request);
  const token = (form.get('token') ?? '').slice(0, maximumLength);
  const result = await accountsOf(services)['sign-up/confirm']({ token });
  const { signUp, links } = view.text;
  const continuation = (href: string) => ({ id: 'continue', label: links.continue, href });
  if (result.ok) {
    const action = continuation(returnPath(services, request, result.return_to));
    const text = signUp.confirmed(<strong>{result.user.name}</strong>);
    return respond(view, <Notice view={view} title={signUp.confirmedTitle} text={text} action={action} />, {
      cookie: services.formTokens.clear(flow),
    });
  }
  const isRegistered = result.error === 'already_registered';
  const page = (
    <Notice
      view={view}
      title={isRegistered ? signUp.registeredTitle : links.invalidTitle}
      text={isRegistered ? signUp.registered : links.invalid}
      action={isRegistered ? continuation('/account') : { id: 'again', label: signUp.title, href: '/sign-up' }}
    />
  );
  return respond(view, page, { status: isRegistered ? 409 : 410 });
};
