import { invalidRequest, invalidScope } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { permissionsOf, scopesWith } from './client-permissions.ts';
import type { ClientRecord } from './client-record.ts';
import type { ScopeMatch } from './scope-match.ts';

/** The first scope that the client has not registered and that none of the open resources in `resources` has. */
export const unregisteredScope = (
  record: ClientRecord,
  scopes: readonly string[],
  matches: ScopeMatch,
  resources: readonly string[] = [],
): string | undefined => {
  const held = scopesWith(record, resources);
  return scopes.find((scope) => !matches(held, scope));
};

/** @throws {OAuthError} `invalid_scope` for the first scope that `unregisteredScope` finds */
export const assertScopes = (
  record: ClientRecord,
  scopes: readonly string[],
  matches: ScopeMatch,
  resources?: readonly string[],
): void => {
  const scope = unregisteredScope(record, scopes, matches, resources);
  if (scope !== undefined) throw invalidScope('the client is not registered for this scope', scope);
};

export const isRegisteredAudience = (record: ClientRecord, audience: readonly string[]): boolean => {
  const registered = permissionsOf(record);
  return audience.every((item) => registered.audience.has(item));
};

/** @throws {OAuthError} `invalid_request` for an audience that the client has not registered */
export const assertAudience = (record: ClientRecord, audience: readonly string[]): void => {
  if (!isRegisteredAudience(record, audience)) throw invalidRequest('the client is not registered for this audience');
};

/** A client as far as it may use grant types. */
interface Granted {
  grantTypeAllowed(grantType: string): boolean;
}

/** Whether a code for these scopes brings a refresh token (OpenID Connect Core, section 11; `offline`: Hydra's name). */
export const bringsRefreshToken = (client: Granted, scopes: readonly string[]): boolean =>
  client.grantTypeAllowed('refresh_token') && (scopes.includes('offline_access') || scopes.includes('offline'));

/**
 * The scopes that a response of this type can bring: only a code brings a refresh token (OpenID Connect Core, section
 * 11). A request without a response type has no redirect: its client polls for the tokens.
 */
export const attainableScope = (
  client: Granted,
  scopes: readonly string[],
  responseType: string | undefined,
): string => {
  const isRefreshable = responseType === undefined || spaceDelimited(responseType).includes('code');
  const canRefresh = client.grantTypeAllowed('refresh_token') && isRefreshable;
  return scopes.filter((scope) => canRefresh || scope !== 'offline_access').join(' ');
};
