import { isObject } from '@carnet/adapter-contract/kit';
import type { ClientRecord } from '../../clients/client-record.ts';
import { invalidRequest } from '../../oauth-error.ts';

const maxClaims = 100;

const namesIn = (part: unknown): readonly string[] => (isObject(part) ? Object.keys(part) : []);

/** `acr` may be requested as one of several values (section 5.5.1). */
const isAcrList = (part: unknown): boolean => {
  const { acr } = (part ?? {}) as { acr?: { values?: unknown } | null };
  return acr?.values === undefined || Array.isArray(acr.values);
};

/** The problem of a parsed `claims` parameter, undefined if it has none (OpenID Connect Core, section 5.5). */
const problemOfClaims = (claims: unknown): string | undefined => {
  if (!isObject(claims)) return 'claims is not a JSON object';
  const { id_token: idToken, userinfo } = claims;
  if (idToken === undefined && userinfo === undefined) return 'claims has neither userinfo nor id_token';
  if (![idToken, userinfo].every((part) => part === undefined || isObject(part)))
    return 'claims.userinfo and claims.id_token must be objects';
  if (namesIn(idToken).length + namesIn(userinfo).length > maxClaims)
    return `claims names more than ${maxClaims} claims`;
  return isAcrList(idToken) ? undefined : 'claims.id_token.acr.values is not a list';
};

/** Parses the `claims` parameter. @throws {OAuthError} `invalid_request` */
export const parseClaims = (text: string): { readonly userinfo?: object; readonly id_token?: object } => {
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    throw invalidRequest('could not parse the claims parameter JSON');
  }
  const problem = problemOfClaims(claims);
  if (problem) throw invalidRequest(problem);
  return claims as object;
};

/** Whether a valid `claims` parameter requests the claim `acr` of the ID token. */
const requestsAcr = (claims: unknown): boolean => {
  if (typeof claims !== 'string') return false;
  const { id_token: idToken } = JSON.parse(claims) as { readonly id_token?: object };
  return idToken !== undefined && Object.hasOwn(idToken, 'acr');
};

/**
 * The registered default of `acr_values`. Undefined if the request names the claim `acr`, which overrides the default
 * (Dynamic Client Registration 1.0, section 2): otherwise the default would make an essential `acr` a voluntary one.
 */
export const defaultAcrValues = (
  { metadata: { default_acr_values: values } }: Pick<ClientRecord, 'metadata'>,
  claims: unknown,
): string | undefined => (values?.length && !requestsAcr(claims) ? values.join(' ') : undefined);
