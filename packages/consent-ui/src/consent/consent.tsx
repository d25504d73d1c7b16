import { askingDevice } from '../device/asking-device.tsx';
import { formAction } from '../page/challenge.ts';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { clientLogo } from './client-logo.tsx';
import { ConsentForm } from './consent-form.tsx';
import { type Claims, grantedClaims, requestedClaims, type ScopeClaims } from './granted-claims.ts';
import { otherAccountUrl } from './other-account.ts';
import { whoAsks } from './who-asks.tsx';

interface Granted {
  readonly scopes: readonly string[];
  /** Names of the claims that are granted beside those of the scopes. */
  readonly claims: readonly string[];
  readonly remember: boolean;
}

/** The claims of the operator's scopes. */
const ownScopes = async ({ accounts }: Services): Promise<ScopeClaims> => (await accounts.settings()).scopes;

const claimsOf = async ({ accounts }: Services, subject: string): Promise<Claims> =>
  (await accounts.account.show({ subject })).claims;

const claimsAsked = ({ asked }: Open<'consent'>, own: ScopeClaims): readonly string[] =>
  requestedClaims(asked.request_url, own, asked.client.scope?.split(' '));

const accept = async (
  services: Services,
  { challenge, asked, view }: Open<'consent'>,
  { scopes, claims: requested, remember }: Granted,
): Promise<Response> => {
  const claims = await claimsOf(services, asked.subject);
  const own = await ownScopes(services);
  const { idToken, accessToken } = grantedClaims(claims, scopes, { requested, own });
  const decided = await services.api.consent.accept(challenge, {
    grant_scope: scopes,
    grant_access_token_audience: asked.requested_access_token_audience,
    session: { id_token: idToken, ...(Object.keys(accessToken).length > 0 && { access_token: accessToken }) },
    remember,
    remember_for: services.settings.rememberForSeconds,
  });
  return respondDecided(view, 'consent', decided, services.formTokens.clear(challenge));
};

const reject = async ({ api, formTokens }: Services, { challenge, view }: Open<'consent'>): Promise<Response> => {
  const rejection = { error: 'access_denied', error_description: 'The user denied the request.' };
  return respondDecided(view, 'consent', await api.consent.reject(challenge, rejection), formTokens.clear(challenge));
};

const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== '';

const userOf = (subject: string, claims: Claims): { name: string; detail: string | undefined } => {
  const [name = subject, detail] = [claims.name, claims.email].filter(isText);
  return { name, detail };
};

/**
 * The page tells the user that the request is for a device: an attacker may have sent the code (RFC 8628, section 5.4).
 */
const isForDevice = ({ request_url: url }: Open<'consent'>['asked']): boolean =>
  typeof url === 'string' && URL.canParse(url) && new URL(url).pathname.endsWith('/oauth2/device/verify');

/** GET /consent: asks the user, or accepts at once if a remembered consent covers it or the client skips consent. */
export const showConsent = (services: Services, request: Request): Promise<Response> =>
  withOpen('consent', services, request, async (open) => {
    const { skip, client, subject, requested_scope: scopes } = open.asked;
    const forDevice = isForDevice(open.asked);
    const claims = claimsAsked(open, await ownScopes(services));
    if ((skip || client.skip_consent) && !forDevice) {
      // A remembered consent does not cover individual claims, and the user is not asked now.
      return accept(services, open, { scopes, claims: client.skip_consent ? claims : [], remember: false });
    }
    const { token, cookie } = services.formTokens.issue(request, open.challenge);
    const logo = services.ui.clientLogos ? clientLogo(client, services.settings.uiUrl) : undefined;
    const page = (
      <ConsentForm
        view={open.view}
        action={formAction(request)}
        token={token}
        client={client}
        logo={logo}
        asking={whoAsks(open.asked)}
        forDevice={forDevice}
        device={forDevice ? askingDevice(open.asked) : undefined}
        scopes={scopes}
        claims={claims}
        ticked={services.settings.scopesTicked}
        otherAccountHref={otherAccountUrl(open.asked.request_url, services.settings.issuer)}
        user={userOf(subject, await claimsOf(services, subject))}
      />
    );
    return respond(open.view, page, { cookie, imageHost: logo?.origin });
  });

/** POST /consent. */
export const submitConsent = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('consent', services, request, async (open, form) => {
    const decision = form.get('decision');
    if (decision === 'reject') return reject(services, open);
    if (decision !== 'accept') throw new Problem('invalid_form');
    // Only requested scopes are granted, whatever the form contains. `openid` is always granted: the request is a
    // login.
    const granted = [...form.getAll('grant_scope'), 'openid'];
    const scopes = open.asked.requested_scope.filter((scope) => granted.includes(scope));
    const claims = claimsAsked(open, await ownScopes(services));
    return accept(services, open, { scopes, claims, remember: form.get('remember') === '1' });
  });
