import { formTokenField } from '../csrf/form-token.ts';
import { formAction } from '../page/challenge.ts';
import { respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { Notice } from '../page/notice.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';

interface LogoutFormProps {
  readonly action: string;
  readonly token: string;
  readonly clientName: string | undefined;
}

function LogoutForm({ action, token, clientName }: LogoutFormProps) {
  return (
    <Page title="Sign out">
      <h1>Sign out?</h1>
      <p className="lead">
        {clientName ? (
          <>
            <strong>{clientName}</strong> asks to sign you out.
          </>
        ) : (
          'This ends your session on this device.'
        )}{' '}
        You will need your password again the next time.
      </p>
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            Sign out
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain">
            Stay signed in
          </button>
        </div>
      </form>
    </Page>
  );
}

const accept = async ({ api, formTokens }: Services, challenge: string): Promise<Response> =>
  respondDecided('logout', await api.logout.accept(challenge, {}), formTokens.clear(challenge));

/**
 * GET /logout: asks the user, so that no other site can sign the user out. It does not ask if a client with
 * `skip_logout_consent` sent an ID token of the session.
 */
export const showLogout = (services: Services, request: Request): Promise<Response> =>
  withOpen('logout', services, request, async ({ challenge, asked: { client, rp_initiated } }) => {
    // Safe because of the ID token: any site can create a link that names a client, but only the client has the token.
    if (rp_initiated === true && client?.skip_logout_consent) return accept(services, challenge);
    const { token, cookie } = services.formTokens.issue(request, challenge);
    const clientName = client?.client_name || client?.client_id;
    return respond(<LogoutForm action={formAction(request)} token={token} clientName={clientName} />, { cookie });
  });

/** POST /logout. */
export const submitLogout = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('logout', services, request, async ({ challenge }, form) => {
    const decision = form.get('decision');
    if (decision === 'accept') return accept(services, challenge);
    if (decision !== 'reject') throw new Problem('invalid_form');
    await services.api.logout.reject(challenge);
    const page = <Notice title="You are still signed in" text="Nothing has changed. You can close this page." />;
    return respond(page, { cookie: services.formTokens.clear(challenge) });
  });
