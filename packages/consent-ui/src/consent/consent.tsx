import type { ConsentRequest } from '../api/wire.ts';
import type { Claims } from '../directory/user-directory.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf, formAction } from '../page/challenge.ts';
import { respondClosed } from '../page/closed-page.tsx';
import { respond, seeOther } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { ConsentForm } from './consent-form.tsx';
import { grantedClaims } from './scopes.ts';

/** GET /consent: asks, or goes straight on if it was granted before or the client is the operator's own. */
export async function showConsent(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'consent');
  const asked = await services.api.consent.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  const consent = asked.request;
  if (consent.skip || consent.client.skip_consent) {
    return accept(services, challenge, consent, { scopes: consent.requested_scope, remember: false });
  }
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const page = (
    <ConsentForm
      action={formAction(request)}
      token={token}
      client={consent.client}
      scopes={consent.requested_scope}
      person={personOf(consent.subject, await services.directory.claims(consent.subject))}
    />
  );
  return respond(page, { cookie });
}

/** POST /consent. */
export async function submitConsent(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'consent');
  const form = await formBody(request);
  // Before the form token, whose cookie is gone when the flow is over.
  const asked = await services.api.consent.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  services.formTokens.check(request, challenge, form);
  const decision = form.get('decision');
  if (decision === 'reject') return reject(services, challenge);
  if (decision !== 'accept') throw new Problem('invalid_form');
  // Of what was asked for, and never more, whatever the form says.
  const scopes = asked.request.requested_scope.filter((scope) => form.getAll('grant_scope').includes(scope));
  return accept(services, challenge, asked.request, { scopes, remember: form.get('remember') === '1' });
}

async function accept(
  services: Services,
  challenge: string,
  consent: ConsentRequest,
  { scopes, remember }: { scopes: readonly string[]; remember: boolean },
): Promise<Response> {
  const claims = (await services.directory.claims(consent.subject)) ?? {};
  const decided = await services.api.consent.accept(challenge, {
    grant_scope: scopes,
    grant_access_token_audience: consent.requested_access_token_audience,
    session: { id_token: grantedClaims(claims, scopes) },
    remember,
    remember_for: services.settings.rememberForSeconds,
  });
  if (decided.state !== 'decided') return respondClosed(decided);
  return seeOther(decided.redirectTo, services.formTokens.clear(challenge));
}

async function reject(services: Services, challenge: string): Promise<Response> {
  const decided = await services.api.consent.reject(challenge, {
    error: 'access_denied',
    error_description: 'The person did not allow the access.',
  });
  if (decided.state !== 'decided') return respondClosed(decided);
  return seeOther(decided.redirectTo, services.formTokens.clear(challenge));
}

function personOf(subject: string, claims: Claims = {}): { name: string; detail: string | undefined } {
  const [name = subject, detail] = [claims.name, claims.email].filter(isText);
  return { name, detail };
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '';
}
