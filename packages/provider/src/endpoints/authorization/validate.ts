import { readJws } from '@carnet/signer-contract/jws';
import { assertAudience, assertScopes, attainableScope, openScopes } from '../../clients/client-permissions.ts';
import { promptValues } from '../../interaction/policy.ts';
import { type ProviderClient, recordOf } from '../../library/clients.ts';
import { invalidRequest, invalidScope, OAuthError } from '../../oauth-error.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { openIdTokenHint } from '../../tokens/id-token.ts';
import type { EndpointDependencies } from '../dependencies.ts';
import { assertScopeSyntax } from '../parameters.ts';
import { settleDetails } from './authorization-details.ts';
import { defaultAcrValues, parseClaims } from './claims-parameter.ts';
import { type AuthorizationRequest, keptParams, type RequestParams, redirectParams } from './request.ts';
import {
  assertPkce,
  assertReplayProtection,
  assertResponseMode,
  receiverOf,
  responseTypeOf,
} from './response-checks.ts';

/** Parameters that need the scope `openid`. */
const ofOpenId = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age'];

/** RFC 9126, section 6 (`require_pushed_authorization_requests`); RFC 9101, section 10.5 (`require_signed_request_object`). */
const assertSource = ({ isPushed, isSigned }: AuthorizationRequest, client: ProviderClient): void => {
  if (client.requirePushedAuthorizationRequests === true && !isPushed)
    throw invalidRequest('Pushed Authorization Request must be used');
  if (client.requireSignedRequestObject === true && !isSigned)
    throw invalidRequest('Request Object must be used by this client');
};

/** "none [...] if used with any other value, an error is returned" (OpenID Connect Core, section 3.1.2.1). */
const assertPrompt = (prompt: string | undefined): void => {
  const values = spaceDelimited(prompt);
  if (values.some((value) => !promptValues.includes(value))) throw invalidRequest('unsupported prompt value requested');
  if (values.includes('none') && values.length > 1) throw invalidRequest('prompt none must only be used alone');
};

/** OpenID Connect Core, section 7.2.1: for clients that register themselves with each request. */
const assertNoRegistration = ({ registration }: RequestParams): void => {
  if (registration) throw new OAuthError('registration_not_supported', 'register the client before its first request');
};

/** Without `openid` the request is none of OpenID Connect (Core, section 3.1.2.1), and may not use what only that defines. */
const assertOpenId = (params: RequestParams, client: ProviderClient): void => {
  if (spaceDelimited(params.scope).includes('openid')) return;
  if (spaceDelimited(params.response_type).includes('id_token'))
    throw invalidScope('openid must be in scope for this response_type', 'openid');
  const must = 'openid scope must be requested';
  if (client.defaultMaxAge !== undefined) throw invalidRequest(`${must} for clients with default_max_age`);
  if (client.requireAuthTime) throw invalidRequest(`${must} for clients with require_auth_time`);
  const used = ofOpenId.find((name) => params[name] !== undefined);
  if (used !== undefined) throw invalidRequest(`${must} when using the ${used} parameter`);
};

/** Claims at userinfo need an access token (OpenID Connect Core, section 5.5). */
const assertClaims = (claims: string | undefined, type: string | undefined): void => {
  if (claims === undefined) return;
  const { userinfo } = parseClaims(claims);
  if (type === 'id_token' && userinfo)
    throw invalidRequest('claims.userinfo should not be used if access_token is not issued');
};

/** The one step that keeps a hint from naming the user of another client: it is an ID token of this client. */
const assertHint = (
  { id_token_hint: jwt }: RequestParams,
  client: ProviderClient,
  { signingKeys: keys, options: { issuer } }: EndpointDependencies,
): void => {
  if (jwt === undefined) return;
  const hint = openIdTokenHint({ keys, issuer }, jwt);
  if (hint?.clientId === client.clientId && readJws(jwt)?.header.alg === client.idTokenSignedResponseAlg) return;
  throw invalidRequest('could not validate id_token_hint');
};

/** The scopes of a request, which the client is registered for with all that comes with them (RFC 6749, section 3.3). */
const scopesOf = (
  { params: { scope = '' }, resources }: AuthorizationRequest,
  client: ProviderClient,
  { scopeMatch }: EndpointDependencies,
): readonly string[] => {
  const record = recordOf(client);
  // A request for an open resource that names no scope gets all scopes of the resource.
  const scopes = scope === '' ? openScopes(record, resources) : spaceDelimited(scope);
  if (scopes.length === 0) throw invalidScope('the request names no scope', '');
  assertScopes(record, scopes, scopeMatch, resources);
  return scopes;
};

/**
 * "0 or greater" (OpenID Connect Core, section 3.1.2.1). `max_age=0` is `prompt=login`.
 *
 * @returns the parameters that replace it, with the registered default
 */
const settleMaxAge = (
  { max_age: sent, prompt }: RequestParams,
  { defaultMaxAge }: ProviderClient,
): Readonly<Record<string, string | undefined>> => {
  const age = sent ?? (defaultMaxAge === undefined ? undefined : String(defaultMaxAge));
  if (age === undefined) return {};
  if (!/^\d{1,15}$/.test(age)) throw invalidRequest('max_age must be a whole number of seconds, in digits only');
  if (Number(age) !== 0) return { max_age: age };
  return { max_age: undefined, prompt: [...new Set([...spaceDelimited(prompt), 'login'])].join(' ') };
};

/**
 * The checks and defaults of OpenID Connect and of the client's registration, for every kind of request.
 *
 * @throws {OAuthError} for the first check that fails
 */
const settle = (request: AuthorizationRequest, client: ProviderClient, deps: EndpointDependencies) => {
  const { params, resources } = request;
  const record = recordOf(client);
  assertClaims(params.claims, params.response_type);
  const details = settleDetails(params, record, deps.options.features.rar);
  deps.resources.find(resources, record);
  assertHint(params, client, deps);
  const scopes = scopesOf(request, client, deps);
  assertAudience(record, spaceDelimited(params.audience));
  return {
    ...params,
    acr_values: params.acr_values ?? defaultAcrValues(record, params.claims),
    authorization_details: details,
    // An ID token contains the nonce, and this request brings none.
    nonce: scopes.includes('openid') ? params.nonce : undefined,
    resource: resources.join(' '),
    scope: attainableScope(client, scopes, params.response_type),
    ...settleMaxAge(params, client),
  };
};

/** Without `Object.fromEntries`: this runs twice for every login. */
const pickFrom =
  (names: readonly string[]) =>
  (sent: Readonly<Record<string, unknown>>): RequestParams => {
    const picked: Record<string, string> = {};
    for (const name of names) if (sent[name]) picked[name] = String(sent[name]);
    return picked;
  };

/** Validates authorization requests, however they were sent. Each check states its error, in the order of the checks. */
export const createValidate = (deps: EndpointDependencies) => {
  const names = keptParams(deps.options.features);
  const kept = pickFrom(names);
  const withoutRedirects = pickFrom(names.filter((name) => !redirectParams.has(name)));

  return {
    /** The names of the parameters that are read, and that may not be repeated. */
    names: names.filter((name) => name !== 'resource'),
    /** The parameters that the checks read, out of all that were sent. An empty one is absent (RFC 6749, section 3.1). */
    pick: pickFrom([...names, 'registration']),
    /**
     * The redirect URI of the request, to which the response is sent. Its error must not be sent there: it is shown to the
     * user (RFC 6749, section 4.1.2.1).
     *
     * @throws {OAuthError} `invalid_request`, `invalid_redirect_uri`
     */
    receiver: (params: RequestParams, client: ProviderClient): string => receiverOf(params, client, deps),
    /**
     * Validates a request whose receiver is known. The result has the registered defaults of the client.
     *
     * @throws {OAuthError} for the first check that fails
     */
    validate(request: AuthorizationRequest, client: ProviderClient): RequestParams {
      const { params } = request;
      assertSource(request, client);
      const response_type = responseTypeOf(params, client, deps);
      assertResponseMode(params, response_type, client, deps);
      assertNoRegistration(params);
      assertReplayProtection(params, response_type, deps);
      assertPrompt(params.prompt);
      assertScopeSyntax(params.scope);
      const typed = { ...request, params: { ...params, response_type } };
      assertOpenId(typed.params, client);
      assertPkce(request, response_type, client, deps);
      return kept(settle(typed, client, deps));
    },
    /** The same for a request without a redirect: its client polls for the tokens (RFC 8628, section 3.1; CIBA, section 7.1). */
    validatePolled(request: AuthorizationRequest, client: ProviderClient): RequestParams {
      // Nothing is pushed to these endpoints.
      assertSource({ ...request, isPushed: true }, client);
      assertNoRegistration(request.params);
      const params = withoutRedirects(request.params);
      assertScopeSyntax(params.scope);
      assertOpenId(params, client);
      return kept(settle({ ...request, params }, client, deps));
    },
  };
};

export type Validate = ReturnType<typeof createValidate>;
