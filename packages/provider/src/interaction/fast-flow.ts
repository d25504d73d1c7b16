import type { FlowState } from '../flow/flow-state.ts';
import { type ProviderClient, recordOf } from '../library/clients.ts';

/**
 * The parameters that nothing has to be decided about; each other one is oidc-provider's business. In its order, which
 * the API's `request_url` shows.
 */
const plainParams: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'login_hint',
  'nonce',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'ui_locales',
  'audience',
]);

/** As oidc-provider has them: an empty one would count as missing. */
export const arePlainParams = (params: Iterable<readonly [name: string, value: string]>): boolean => {
  for (const [name, value] of params) if (value === '' || !plainParams.has(name)) return false;
  return true;
};

/** Plain parameters as they travel. */
export const travelling = (params: ReadonlyMap<string, string>): Record<string, string> => {
  const ordered: Record<string, string> = {};
  for (const name of plainParams) {
    const value = params.get(name);
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
};

/** A flow on its way to a code that is nothing but that, by a person who has just said who they are. */
export const isPlainFlow = ({ params, login, rejection, waiting, pushedId, skipLogin, session }: FlowState): boolean =>
  login !== undefined &&
  rejection === undefined &&
  waiting === undefined &&
  pushedId === undefined &&
  session === undefined &&
  !skipLogin &&
  params.response_type === 'code' &&
  arePlainParams(Object.entries(params));

const asksForMore = (client: ProviderClient): boolean => {
  const { default_acr_values: acrValues = [] } = recordOf(client).metadata;
  return (
    client.requirePushedAuthorizationRequests === true ||
    client.requireSignedRequestObject === true ||
    client.defaultMaxAge !== undefined ||
    client.requireAuthTime === true ||
    acrValues.length > 0
  );
};

/** Whether a client may ask for a code in a query, and no more is to be done about that. */
export const isPlainClient = (client: ProviderClient): boolean =>
  client.responseTypeAllowed('code') && client.responseModeAllowed('query', 'code', undefined) && !asksForMore(client);
