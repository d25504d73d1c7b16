import { z } from 'zod';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { issueForm } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import { clientLogo } from './client-logo.tsx';
import { ConsentForm, type ConsentFormProps } from './consent-form.tsx';
import { type Claims, grantedClaims, requestedClaims, type ScopeClaims } from './granted-claims.ts';
import { otherAccountUrl } from './other-account.ts';

interface Granted {
  readonly scopes: readonly string[];
  /** Names of the claims that are granted beside those of the scopes. */
  readonly claims: readonly string[];
  readonly remember: boolean;
}

/** The `context` of a login whose user exists at a provider only. */
const claimsOfLogin = z.object({ claims: z.record(z.string(), z.unknown()) }).catch({ claims: {} });

/** The claims of the operator's scopes. */
const ownScopes = async ({ services }: Open<'consent'>): Promise<ScopeClaims> =>
  (await services.accounts.settings()).scopes;

const storedClaims = async ({ services, asked }: Open<'consent'>): Promise<Claims> => {
  const { accounts } = services;
  if ((await accounts.settings()).providersOnly) return claimsOfLogin.parse(asked.context).claims;
  return (await accounts.account.show({ subject: asked.subject })).claims;
};

/**
 * The claims of the user. With organizations, `organization` is that of this login, whatever claim of this name the directory or
 * the provider of a customer has.
 */
const claimsOf = async (open: Open<'consent'>): Promise<Claims> => {
  const claims = await storedClaims(open);
  if (!(await open.services.accounts.settings()).organizations) return claims;
  const { organization: _ofDirectory, ...others } = claims;
  return open.organization === undefined ? others : { ...others, organization: open.organization };
};

const claimsAsked = async (open: Open<'consent'>): Promise<readonly string[]> => {
  const { request_url: url, client } = open.asked;
  return requestedClaims(url, await ownScopes(open), client.scope?.split(' '));
};

const accept = async (open: Open<'consent'>, { scopes, claims: requested, remember }: Granted): Promise<Response> => {
  const { services, challenge, asked, view } = open;
  const claims = await claimsOf(open);
  const { idToken, accessToken } = grantedClaims(claims, scopes, { requested, own: await ownScopes(open) });
  const decided = await services.api.consent.accept(challenge, {
    grant_scope: scopes,
    grant_access_token_audience: asked.requested_access_token_audience,
    session: { id_token: idToken, ...(Object.keys(accessToken).length > 0 && { access_token: accessToken }) },
    remember,
    remember_for: services.settings.rememberForSeconds,
  });
  return respondDecided(view, 'consent', decided, services.formTokens.clear(challenge));
};

const reject = async ({ services, challenge, view }: Open<'consent'>): Promise<Response> => {
  const rejection = { error: 'access_denied', error_description: 'The user denied the request.' };
  const rejected = await services.api.consent.reject(challenge, rejection);
  return respondDecided(view, 'consent', rejected, services.formTokens.clear(challenge));
};

const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== '';

const userOf = (subject: string, claims: Claims): ConsentFormProps['user'] => {
  const [name = subject, detail] = [claims.name, claims.email].filter(isText);
  return { name, detail };
};

/**
 * The page tells the user that the request is for a device: an attacker may have sent the code (RFC 8628, section 5.4).
 */
const isForDevice = ({ request_url: url }: Open<'consent'>['asked']): boolean =>
  URL.parse(url ?? '')?.pathname.endsWith('/oauth2/device/verify') ?? false;

/** GET /consent: asks the user, or accepts at once if a remembered consent covers it or the client skips consent. */
export const showConsent = withOpen('consent', async (open) => {
  const { services, request, challenge, asked, view } = open;
  const { skip, client, subject, requested_scope: scopes } = asked;
  const forDevice = isForDevice(asked);
  const claims = await claimsAsked(open);
  if ((skip || client.skip_consent) && !forDevice) {
    // A remembered consent does not cover individual claims, and the user is not asked now.
    return accept(open, { scopes, claims: client.skip_consent ? claims : [], remember: false });
  }
  const { target, cookie } = issueForm(services, request, challenge);
  const logo = services.ui.clientLogos ? clientLogo(client, services.settings.uiUrl) : undefined;
  const page = (
    <ConsentForm
      view={view}
      target={target}
      asked={asked}
      logo={logo}
      forDevice={forDevice}
      claims={claims}
      ticked={services.settings.consentTicked}
      otherAccountHref={otherAccountUrl(asked.request_url, services.settings.issuer)}
      user={userOf(subject, await claimsOf(open))}
    />
  );
  return respond(view, page, { cookie, imageHost: logo?.origin });
});

/** POST /consent. */
export const submitConsent = withOpenForm('consent', async (open, form) => {
  const decision = form.get('decision');
  if (decision === 'reject') return reject(open);
  if (decision !== 'accept') throw new Problem('invalid_form');
  // Only requested scopes are granted, whatever the form contains. `openid` is always granted: the request is a
  // login.
  const granted = [...form.getAll('grant_scope'), 'openid'];
  const scopes = open.asked.requested_scope.filter((scope) => granted.includes(scope));
  return accept(open, { scopes, claims: await claimsAsked(open), remember: form.get('remember') === '1' });
});
