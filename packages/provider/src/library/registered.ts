import type { KoaContextWithOIDC } from 'oidc-provider';
import { openScopes } from '../clients/client-permissions.ts';
import { assertAudience, assertScopes } from '../clients/registered.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { invalidRequest, invalidScope } from '../oauth-error.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import { type ProviderClient, recordOf } from './clients.ts';
import { defaultAcrValues } from './features/claims-parameter.ts';
import { stateOf } from './request-state.ts';

/**
 * The scopes that a response of this type can bring: only a code brings a refresh token (OpenID Connect Core, section
 * 11).
 */
export const attainableScope = (client: ProviderClient, scopes: readonly string[], responseType: unknown): string => {
  // A request without a response type has no redirect: its client polls for the tokens.
  const isRefreshable = responseType === undefined || spaceDelimited(responseType).includes('code');
  const canRefresh = client.grantTypeAllowed('refresh_token') && isRefreshable;
  return scopes.filter((scope) => canRefresh || scope !== 'offline_access').join(' ');
};

/** A number of seconds: oidc-provider would take `1e3`, `0x10` and ` 5 ` as well. */
const assertDigits = (name: string, value: unknown): void => {
  if (value === undefined || value === '' || /^\d+$/.test(String(value))) return;
  throw invalidRequest(`${name} must be a whole number of seconds, in digits only`);
};

/**
 * The last check of a request for which the client polls: what it asks for is registered. oidc-provider drops
 * `offline_access`, because the request has no `prompt=consent`; here the consent app is always asked, so it is put back
 * where it can be had.
 */
export const settleRequest = (ctx: KoaContextWithOIDC, matches: ScopeMatch): void => {
  const { client, params } = ctx.oidc;
  if (client === undefined || params === undefined) return;
  const { body = {} } = ctx.oidc as unknown as { body?: Record<string, unknown> };
  // The parameters as they were sent: in the request object, if there is one, or else in the form.
  const sent = stateOf(ctx).requestObject ?? body;
  const resources = spaceDelimitedAll(params.resource);
  const named = spaceDelimited(sent.scope);
  // A request for an open resource that names no scope gets all scopes of the resource (RFC 6749, section 3.3).
  const record = recordOf(client);
  const scopes = named.length > 0 ? named : openScopes(record, resources);
  if (scopes.length === 0) throw invalidScope('the request names no scope', '');
  for (const name of ['max_age', 'requested_expiry']) assertDigits(name, sent[name]);
  assertScopes(record, scopes, matches, resources);
  assertAudience(record, spaceDelimited(params.audience));
  if (resources.length === 0) params.resource = undefined;
  params.acr_values ??= defaultAcrValues(record, params.claims);
  params.scope = attainableScope(client, scopes, undefined);
};
