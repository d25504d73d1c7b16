import { openScopes } from '../clients/client-permissions.ts';
import { isRegisteredAudience, unregisteredScope } from '../clients/registered.ts';
import { type ScopeMatch, type ScopeStrategy, scopeMatches } from '../clients/scope-match.ts';
import { decodeJwtHeader } from '../flow/jwt-payload.ts';
import { isPlainChallenge } from '../grants/pkce.ts';
import { isPlainCode } from '../interaction/authorization-response.ts';
import { promptValues } from '../interaction/policy.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { type ProviderClient, recordOf } from '../library/clients.ts';
import { needsPkce } from '../library/configuration.ts';
import { defaultAcrValues, problemOfClaims } from '../library/features/claims-parameter.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { attainableScope } from '../library/registered.ts';
import { isScope, spaceDelimited } from '../text/space-delimited.ts';
import { openIdTokenHint } from '../tokens/id-token-hint.ts';

/** The parameters of an authorization request. */
export type Params = Readonly<Record<string, string>>;

export interface AuthorizationRequestDependencies {
  readonly options: {
    readonly issuer: string;
    readonly scopeStrategy: ScopeStrategy;
    readonly pkceRequired: 'public' | 'always' | 'never';
    readonly features: Pick<FeaturesConfig, 'claimsParameter' | 'dpop' | 'rar' | 'resourceIndicators'>;
  };
  readonly signingKeys: SigningKeys;
}

/**
 * The parameters that are read. Other parameters are ignored (RFC 6749, section 3.1). The order is that of
 * oidc-provider: the API shows it in `request_url`.
 */
const known = ({
  claimsParameter,
  resourceIndicators,
  dpop,
}: AuthorizationRequestDependencies['options']['features']) => [
  'acr_values',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
  ...(claimsParameter.enabled ? ['claims'] : []),
  ...(resourceIndicators.enabled ? ['resource'] : []),
  'audience',
  ...(dpop.enabled ? ['dpop_jkt'] : []),
];

/** Parameters that only oidc-provider reads. */
const unsupported = ({ rar }: AuthorizationRequestDependencies['options']['features']) => [
  'request',
  'request_uri',
  'registration',
  ...(rar.enabled ? ['authorization_details'] : []),
];

/** Parameters that need the scope `openid`. */
const ofOpenId = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age'];

const isPrompt = (prompt: string | undefined): boolean => {
  const values = prompt?.split(' ') ?? [];
  return values.every((value) => promptValues.includes(value)) && (values.length < 2 || !values.includes('none'));
};

const isClaims = (text: string | undefined): boolean => {
  if (text === undefined) return true;
  try {
    return problemOfClaims(JSON.parse(text)) === undefined;
  } catch {
    return false;
  }
};

/** A resource identifier (RFC 8707, section 2). */
const isResource = (resource: string | undefined): boolean =>
  resource === undefined || (URL.canParse(resource) && !/[#\s]/.test(resource));

/** Whether the fast path forwards every request of this client. */
const isUnsupported = (client: ProviderClient): boolean =>
  client.requirePushedAuthorizationRequests === true ||
  client.requireSignedRequestObject === true ||
  !client.responseTypeAllowed('code');

/** `max_age=0` is `prompt=login` (OpenID Connect Core, section 3.1.2.1). */
const settleMaxAge = (params: Record<string, string>): void => {
  if (Number(params.max_age) !== 0) return;
  delete params.max_age;
  params.prompt = [...new Set([...spaceDelimited(params.prompt), 'login'])].join(' ');
};

/** Adds the registered defaults of the client, and removes scopes that the client cannot get. */
const settled = (params: Params, client: ProviderClient, scopes: readonly string[]): Record<string, string> => {
  const acrValues = defaultAcrValues(recordOf(client), params.claims);
  const { defaultMaxAge } = client;
  const all: Record<string, string> = { ...params, scope: attainableScope(client, scopes, 'code') };
  if (acrValues !== undefined) all.acr_values ??= acrValues;
  if (defaultMaxAge !== undefined) all.max_age ??= String(defaultMaxAge);
  if (!scopes.includes('openid')) delete all.nonce;
  settleMaxAge(all);
  return all;
};

/**
 * Reads authorization requests for a code. It accepts fewer requests than oidc-provider: both functions return
 * undefined for a request that must be forwarded, because the fast path does not support it or because it must be
 * refused.
 */
export const createReadRequest = ({ options, signingKeys: keys }: AuthorizationRequestDependencies) => {
  const { issuer, features } = options;
  const matches: ScopeMatch = scopeMatches[options.scopeStrategy];
  const names = known(features);
  const forwarded = unsupported(features);

  const isHint = ({ id_token_hint: jwt }: Params, client: ProviderClient): boolean => {
    if (jwt === undefined) return true;
    const hint = openIdTokenHint({ keys, issuer }, jwt);
    return hint?.clientId === client.clientId && decodeJwtHeader(jwt).alg === client.idTokenSignedResponseAlg;
  };

  /** The requested scopes, if the client is registered for them and for all that comes with them. */
  const scopesOf = ({ scope = '', resource, audience, ...params }: Params, client: ProviderClient) => {
    const record = recordOf(client);
    const resources = spaceDelimited(resource);
    const scopes = scope === '' ? openScopes(record, resources) : spaceDelimited(scope);
    if ((scope !== '' && !isScope(scope)) || scopes.length === 0) return undefined;
    if (unregisteredScope(record, scopes, matches, resources) !== undefined) return undefined;
    if (!isRegisteredAudience(record, [...spaceDelimited(audience), ...resources])) return undefined;
    const isOpenId = scope.split(' ').includes('openid');
    const needsOpenId = client.defaultMaxAge !== undefined || client.requireAuthTime === true;
    if (!isOpenId && (needsOpenId || ofOpenId.some((name) => params[name] !== undefined))) return undefined;
    return scopes;
  };

  const isValid = (params: Params, client: ProviderClient): boolean => {
    const { code_challenge: challenge, code_challenge_method: method, response_mode: mode = 'query' } = params;
    return (
      isPlainChallenge({ challenge, method }, needsPkce(options, client)) &&
      client.responseModeAllowed(mode, 'code', undefined) &&
      client.redirectUriAllowed(params.redirect_uri ?? '') &&
      isPrompt(params.prompt) &&
      /^\d{0,15}$/.test(params.max_age ?? '') &&
      isClaims(params.claims) &&
      isResource(params.resource) &&
      isHint(params, client)
    );
  };

  const inOrder = (params: Params | ReadonlyMap<string, string>): Params => {
    const get = params instanceof Map ? (name: string) => params.get(name) : (name: string) => (params as Params)[name];
    // A parameter without a value is treated as omitted (RFC 6749, section 3.1).
    return Object.fromEntries(names.flatMap((name) => (get(name) ? [[name, get(name) as string]] : [])));
  };

  return {
    /** Picks the parameters of a request that may be supported. The client is not yet known. */
    pick(sent: ReadonlyMap<string, string>): Params | undefined {
      if (forwarded.some((name) => sent.get(name))) return undefined;
      const params = inOrder(sent);
      return isPlainCode(params) ? params : undefined;
    },
    validate(params: Params, client: ProviderClient): Params | undefined {
      if (isUnsupported(client) || !isValid(params, client)) return undefined;
      const scopes = scopesOf(params, client);
      return scopes && inOrder(settled(params, client, scopes));
    },
  };
};
