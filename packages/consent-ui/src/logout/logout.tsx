import { formTokenField } from '../csrf/form-token.ts';
import { formAction } from '../page/challenge.ts';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { Notice } from '../page/notice.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';

interface LogoutFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  readonly clientName: string | undefined;
}

function LogoutForm({ view, action, token, clientName }: LogoutFormProps) {
  const text = view.text.logout;
  return (
    <Page view={view} title={text.title}>
      <h1>{text.heading}</h1>
      <p className="lead">
        {clientName ? text.asks(<Strong>{clientName}</Strong>) : text.endsSession} {text.again}
      </p>
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            {text.submit}
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain">
            {text.stay}
          </button>
        </div>
      </form>
    </Page>
  );
}

const accept = async (
  { api, formTokens }: Services,
  { challenge, view }: Pick<Open<'logout'>, 'challenge' | 'view'>,
): Promise<Response> =>
  respondDecided(view, 'logout', await api.logout.accept(challenge, {}), formTokens.clear(challenge));

/**
 * GET /logout: asks the user, so that no other site can sign the user out. It does not ask if a client with
 * `skip_logout_consent` sent an ID token of the session.
 */
export const showLogout = (services: Services, request: Request): Promise<Response> =>
  withOpen('logout', services, request, async ({ challenge, view, asked: { client, rp_initiated } }) => {
    // Safe because of the ID token: any site can create a link that names a client, but only the client has the token.
    if (rp_initiated === true && client?.skip_logout_consent) return accept(services, { challenge, view });
    const { token, cookie } = services.formTokens.issue(request, challenge);
    const clientName = client?.client_name || client?.client_id;
    const page = <LogoutForm view={view} action={formAction(request)} token={token} clientName={clientName} />;
    return respond(view, page, { cookie });
  });

/** POST /logout. */
export const submitLogout = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('logout', services, request, async ({ challenge, view }, form) => {
    const decision = form.get('decision');
    if (decision === 'accept') return accept(services, { challenge, view });
    if (decision !== 'reject') throw new Problem('invalid_form');
    await services.api.logout.reject(challenge);
    const { stayedTitle: title, stayedText: text } = view.text.logout;
    return respond(view, <Notice view={view} title={title} text={text} />, {
      cookie: services.formTokens.clear(challenge),
    });
  });
