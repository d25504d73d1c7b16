import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { Button, Form, issueForm, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { Strong } from '../page/strong.tsx';
import { Problem } from '../problem.ts';
import { providerSession } from '../providers/provider-session.ts';
import { signOutAtProvider } from '../providers/sign-out.ts';

const accept = async (open: Open<'logout'>): Promise<Response> => {
  const atProvider = await signOutAtProvider(open);
  if (atProvider !== undefined) return atProvider;
  const { services, challenge, view } = open;
  const accepted = await services.api.logout.accept(challenge, {});
  const cookies = [services.formTokens.clear(challenge), providerSession(services).clear()];
  return respondDecided(view, 'logout', accepted, ...cookies);
};

/**
 * GET /logout: asks the user, so that no other site can sign the user out. It does not ask if a client with
 * `skip_logout_consent` sent an ID token of the session.
 */
export const showLogout = withOpen('logout', async (open) => {
  const { services, request, challenge, view } = open;
  const { client, rp_initiated } = open.asked;
  // Safe because of the ID token: any site can create a link that names a client, but only the client has the token.
  if (rp_initiated === true && client?.skip_logout_consent) return accept(open);
  const { target, cookie } = issueForm(services, request, challenge);
  const name = client?.client_name || client?.client_id;
  const { title, heading, asks, endsSession, again, submit, stay } = view.text.logout;
  const text = (
    <>
      {name ? asks(<Strong>{name}</Strong>) : endsSession} {again}
    </>
  );
  const page = (
    <Page view={view} title={title} heading={heading} text={text}>
      <Form {...target}>
        <Submit label={submit} name="decision" value="accept">
          <Button id="reject" label={stay} name="decision" value="reject" isPlain />
        </Submit>
      </Form>
    </Page>
  );
  return respond(view, page, { cookie });
});

/** POST /logout. */
export const submitLogout = withOpenForm('logout', async (open, form) => {
  const decision = form.get('decision');
  if (decision === 'accept') return accept(open);
  if (decision !== 'reject') throw new Problem('invalid_form');
  const { services, challenge, view } = open;
  await services.api.logout.reject(challenge);
  const { stayedTitle: title, stayedText: text } = view.text.logout;
  return respondNotice(view, { title, text }, { cookie: services.formTokens.clear(challenge) });
});
