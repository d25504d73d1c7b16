import type { FlowState, Rejection } from '../flow/flow-state.ts';
import { demandedAcrs, demandedSubject, hintClaimsOf } from '../flow/oidc-context.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

type Params = FlowState['params'];

/** A remembered login of the browser, with the subject in the ID tokens of the client of the request. */
type RememberedLogin = NonNullable<FlowState['session']>;
type PresentedLogin = Pick<RememberedLogin, 'subject' | 'sid' | 'acr'>;

/**
 * Whether the user is the one that the request names, if it names one: by `id_token_hint` (OpenID Connect Core, section
 * 3.1.2.1), which was verified with the request, or by the claim `sub` of the `claims` parameter (section 5.5.1).
 */
const isDemandedSubject = (params: Params, { subject, sid }: PresentedLogin): boolean => {
  const hinted = hintClaimsOf(params) ?? {};
  const value = demandedSubject(params);
  const isHinted = hinted.sub === undefined || hinted.sub === subject || hinted.sid === sid;
  return isHinted && (value === undefined || value === subject);
};

/**
 * Whether the login has reached an essential `acr` (OpenID Connect Core, section 5.5.1.1). If the request also has
 * `acr_values`, the claim is treated as voluntary: the specification does not define requests with both.
 */
const isDemandedAcr = (params: Params, reached: string | undefined): boolean =>
  Boolean(params.acr_values) || demandedAcrs(params)?.some((acr) => acr === reached) !== false;

/**
 * Whether a remembered login reaches one of the requested `acr_values`, or a class above it (RFC 9470, section 4). Values
 * that are not supported are ignored: `acr_values` is voluntary, and the login app could not reach them.
 *
 * @param supported the classes that the login app can reach, weakest first
 */
const reachesAcrValues = (
  { acr_values }: Params,
  reached: string | undefined,
  supported: readonly string[],
): boolean => {
  const requested = spaceDelimited(acr_values).map((value) => supported.indexOf(value));
  const ranks = requested.filter((rank) => rank >= 0);
  return ranks.length === 0 || supported.indexOf(reached ?? '') >= Math.min(...ranks);
};

/** For users who have no account yet: Initiating User Registration 1.0, section 4.1, and Hydra's name for it. */
const registrationPrompts = ['create', 'registration'] as const;

/** The values of `prompt` that are understood. */
export const promptValues: readonly string[] = ['none', 'login', 'consent', 'select_account', ...registrationPrompts];

const prompts = ({ prompt }: Params, ...names: readonly string[]): boolean => {
  const values = spaceDelimited(prompt);
  return names.some((name) => values.includes(name));
};

export const asksForAccount = (params: Params): boolean => prompts(params, ...registrationPrompts);

/** The rejection of a consent that grants none of the scopes. */
export const noScopeGranted: Rejection = { error: 'access_denied', description: 'no scope was granted' };

/** Why an accepted consent is a denial. An ID token names the user: it needs `openid` (OpenID Connect Core, section 3.1.2.1). */
export const denialIn = ({ params, consent }: Pick<FlowState, 'params' | 'consent'>): Rejection | undefined => {
  if (consent?.scopes.length === 0) return noScopeGranted;
  const lacksOpenId = params.response_type?.includes('id_token') && !consent?.scopes.includes('openid');
  return lacksOpenId ? { error: 'access_denied', description: 'openid was not granted' } : undefined;
};

/** `prompt=none`: no page may be shown to the user. */
export const isQuiet = (params: Params): boolean => prompts(params, 'none');

/** Whether the user has to be asked for consent, even if a consent is remembered. */
export const asksForConsent = (params: Params): boolean => prompts(params, 'consent');

interface SkipPolicy {
  readonly nowSeconds: number;
  readonly supportedAcrValues: readonly string[];
  /** The classes that the client accepts, whatever it requests. Undefined: all. */
  readonly sufficientAcrs?: readonly string[] | undefined;
}

/** Whether a remembered login is sufficient for the request (OpenID Connect Core, section 3.1.2.3). */
export const maySkipLogin = (
  params: Params,
  login: RememberedLogin,
  { nowSeconds, supportedAcrValues, sufficientAcrs }: SkipPolicy,
): boolean => {
  if (prompts(params, 'login', 'select_account', ...registrationPrompts)) return false;
  if (params.max_age !== undefined && nowSeconds - login.authTime > Number(params.max_age)) return false;
  if (sufficientAcrs?.includes(login.acr ?? '') === false) return false;
  const isReached = isDemandedAcr(params, login.acr) && reachesAcrValues(params, login.acr, supportedAcrValues);
  return isReached && isDemandedSubject(params, login);
};

/** The problem of a login that the user has just made; undefined if it is the one that the request demands. */
export const problemOfLogin = (params: Params, login: PresentedLogin): Rejection | undefined => {
  if (!isDemandedSubject(params, login))
    return { error: 'login_required', description: 'the user who signed in is not the one that the request names' };
  if (isDemandedAcr(params, login.acr)) return undefined;
  const description = 'the sign-in does not reach an authentication class that the request demands';
  return { error: 'unmet_authentication_requirements', description };
};
