import { formTokenField } from '../csrf/form-token.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf, formAction } from '../page/challenge.ts';
import { respondClosed } from '../page/closed-page.tsx';
import { Notice } from '../page/notice.tsx';
import { Page } from '../page/page.tsx';
import { respond, seeOther } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';

/** GET /logout: asks, so that no other site can log people out; or goes straight on for the operator's own clients. */
export async function showLogout(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'logout');
  const asked = await services.api.logout.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  const { client } = asked.request;
  if (client?.skip_logout_consent) return accept(services, challenge);
  const { token, cookie } = services.formTokens.issue(request, challenge);
  return respond(
    <LogoutForm action={formAction(request)} token={token} clientName={client?.client_name || client?.client_id} />,
    { cookie },
  );
}

/** POST /logout. */
export async function submitLogout(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'logout');
  const form = await formBody(request);
  // Before the form token, whose cookie is gone when the request is over.
  const asked = await services.api.logout.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  services.formTokens.check(request, challenge, form);
  const decision = form.get('decision');
  if (decision === 'accept') return accept(services, challenge);
  if (decision !== 'reject') throw new Problem('invalid_form');
  await services.api.logout.reject(challenge);
  const page = <Notice title="You are still logged in" text="Nothing has changed. You can close this page." />;
  return respond(page, { cookie: services.formTokens.clear(challenge) });
}

async function accept(services: Services, challenge: string): Promise<Response> {
  const decided = await services.api.logout.accept(challenge, {});
  if (decided.state !== 'decided') return respondClosed(decided);
  return seeOther(decided.redirectTo, services.formTokens.clear(challenge));
}

interface LogoutFormProps {
  action: string;
  token: string;
  clientName: string | undefined;
}

function LogoutForm({ action, token, clientName }: LogoutFormProps) {
  return (
    <Page title="Log out">
      <h1>Log out?</h1>
      <p className="lead">
        {clientName ? (
          <>
            <strong>{clientName}</strong> asks to log you out.
          </>
        ) : (
          'This ends your session here.'
        )}{' '}
        Next time you will need your password again.
      </p>
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            Log out
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain">
            Stay logged in
          </button>
        </div>
      </form>
    </Page>
  );
}
