import type { RegisteredClient, StandInRules } from './identity-stand-in.ts';

interface OpenIdOptions {
  /** The issuer in the metadata, and in the ID tokens unless the user has another `iss`. */
  readonly issuer: string;
  readonly metadataUrl: string;
  readonly endpoints: { readonly authorization: string; readonly token: string; readonly keys: string };
  readonly parameters: readonly string[];
  readonly answerParameters?: Readonly<Record<string, string>>;
  readonly authentication?: readonly string[];
}

const common = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'prompt', 'login_hint'];

/** The rules of a provider with discovery and ID tokens. */
export const openIdRules = (
  { clientId }: RegisteredClient,
  {
    issuer,
    metadataUrl,
    endpoints,
    parameters,
    answerParameters = {},
    authentication = ['client_secret_post', 'client_secret_basic'],
  }: OpenIdOptions,
): StandInRules => ({
  authorizationEndpoint: endpoints.authorization,
  tokenEndpoint: endpoints.token,
  parameters: [...common, 'code_challenge', 'code_challenge_method', ...parameters],
  authentication: ['basic', 'post'],
  errorStatus: 400,
  answerParameters,
  tokenMembers: ({ user, nonce }, keys) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: clientId, iat: now, exp: now + 3600, nonce, ...user };
    return { expires_in: 3600, id_token: keys.sign(claims) };
  },
  resource: ({ url }, _grants, { jwks }) => {
    if (url === endpoints.keys) return jwks;
    if (url !== metadataUrl) return undefined;
    return {
      issuer,
      authorization_endpoint: endpoints.authorization,
      token_endpoint: endpoints.token,
      jwks_uri: endpoints.keys,
      response_types_supported: ['code', 'id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: authentication,
    };
  },
});
