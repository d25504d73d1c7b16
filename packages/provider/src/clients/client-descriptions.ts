import type { RegisteredMetadata } from './client-schema.ts';

const lifespan = (tokens: 'access tokens' | 'ID tokens' | 'refresh tokens', from: string): string =>
  `The lifetime of ${tokens} from ${from}, such as \`1h30m\`. Default: that of the configuration.`;

const encryption = (what: string) => ({
  alg: `The key management algorithm of encrypted ${what}. It requires \`features.encryption\`.`,
  enc: `The content encryption algorithm of encrypted ${what}. Default: A128CBC-HS256.`,
});

const idTokens = encryption('ID tokens');
const userinfo = encryption('userinfo responses');
const requestObjects = encryption('request objects of the client');
const authorization = encryption('authorization responses (JARM)');
const introspection = encryption('introspection responses');

/** Each member of a client in one sentence. */
export const memberDescriptions: Readonly<Record<keyof RegisteredMetadata, string>> = {
  client_name: 'The name that the consent page shows.',
  redirect_uris:
    'The URIs to which browsers return with a code. A request must contain one of them, character by character.',
  grant_types: 'The grant types that the client may use. Default: authorization_code.',
  response_types: 'The response types that the client may use. Default: code.',
  scope: 'The scopes that the client may request, space-delimited. Default: offline_access offline openid.',
  audience: 'The resource servers for which the client may request access tokens.',
  owner: 'A text for your own use: lists of clients can be filtered by it.',
  policy_uri: 'The URL of the privacy policy, for the consent page.',
  allowed_cors_origins: 'The origins of web pages that may call the token and userinfo endpoints with `fetch`.',
  tos_uri: 'The URL of the terms of service, for the consent page.',
  client_uri: 'The URL of the home page of the client.',
  logo_uri: 'The URL of the logo of the client.',
  contacts: 'Email addresses of those who are responsible for the client.',
  subject_type: 'Whether the client gets the same `sub` as other clients (public), or one of its sector (pairwise).',
  jwks: 'The public keys of the client, as a JWKS.',
  token_endpoint_auth_method:
    'How the client authenticates. If omitted, the client may send its secret in the header or in the body, and responses show client_secret_basic.',
  userinfo_signed_response_alg: 'The algorithm of signed userinfo responses. none: JSON.',
  metadata: 'Any JSON object for your own use.',
  skip_consent: 'Whether the consent app may accept without asking the user. Carnet passes it on.',
  skip_logout_consent:
    'Whether the logout page may accept a logout of this client without asking the user. Carnet passes it on.',
  authorization_code_grant_access_token_lifespan: lifespan('access tokens', 'the authorization code grant'),
  authorization_code_grant_id_token_lifespan: lifespan('ID tokens', 'the authorization code grant'),
  authorization_code_grant_refresh_token_lifespan: lifespan('refresh tokens', 'the authorization code grant'),
  client_credentials_grant_access_token_lifespan: lifespan('access tokens', 'the client credentials grant'),
  implicit_grant_access_token_lifespan: lifespan('access tokens', 'the implicit and hybrid flows'),
  implicit_grant_id_token_lifespan: lifespan('ID tokens', 'the implicit and hybrid flows'),
  jwt_bearer_grant_access_token_lifespan: lifespan('access tokens', 'the JWT bearer grant'),
  refresh_token_grant_id_token_lifespan: lifespan('ID tokens', 'the refresh token grant'),
  refresh_token_grant_access_token_lifespan: lifespan('access tokens', 'the refresh token grant'),
  refresh_token_grant_refresh_token_lifespan: lifespan('refresh tokens', 'the refresh token grant'),
  device_authorization_grant_id_token_lifespan: lifespan('ID tokens', 'the device grant'),
  device_authorization_grant_access_token_lifespan: lifespan('access tokens', 'the device grant'),
  device_authorization_grant_refresh_token_lifespan: lifespan('refresh tokens', 'the device grant'),
  access_token_strategy: 'The format of access tokens. Default: `tokens.accessTokenStrategy`.',
  access_token_type: 'The header `typ` of JWT access tokens. Default: `tokens.accessTokenType`.',
  sector_identifier_uri:
    'The URL of the document that lists the redirect URIs of all clients with the same pairwise `sub`.',
  jwks_uri: 'The URL of the public keys of the client.',
  request_uris: 'The URLs of request objects (JAR) that requests may name.',
  request_object_signing_alg: 'The algorithm by which the client signs request objects (JAR).',
  token_endpoint_auth_signing_alg: 'The algorithm of client assertions (private_key_jwt).',
  frontchannel_logout_uri: 'The URL that the browser loads in a frame when the session ends.',
  frontchannel_logout_session_required: 'Whether front-channel logouts contain `iss` and `sid`.',
  post_logout_redirect_uris: 'The URIs to which browsers may return after a logout.',
  backchannel_logout_uri: 'The URL to which Carnet sends a logout token when the session ends.',
  backchannel_logout_session_required: 'Whether logout tokens contain `sid`.',
  application_type:
    'Whether the client is a web app or an app on the device of the user. Default: from the redirect URIs.',
  id_token_signed_response_alg: 'The algorithm of ID tokens. Default: `keys.idTokenAlg`.',
  id_token_encrypted_response_alg: idTokens.alg,
  id_token_encrypted_response_enc: idTokens.enc,
  userinfo_encrypted_response_alg: userinfo.alg,
  userinfo_encrypted_response_enc: userinfo.enc,
  request_object_encryption_alg: requestObjects.alg,
  request_object_encryption_enc: requestObjects.enc,
  authorization_signed_response_alg: 'The algorithm of signed authorization responses (JARM).',
  authorization_encrypted_response_alg: authorization.alg,
  authorization_encrypted_response_enc: authorization.enc,
  introspection_signed_response_alg: 'The algorithm of signed introspection responses (RFC 9701).',
  introspection_encrypted_response_alg: introspection.alg,
  introspection_encrypted_response_enc: introspection.enc,
  default_max_age: 'The maximum age of a login in seconds, if a request has no `max_age`.',
  default_acr_values: 'The requested `acr` values, if a request has none.',
  require_auth_time: 'Whether ID tokens contain `auth_time`.',
  initiate_login_uri: 'The https URL at which another party can start a login.',
  require_pushed_authorization_requests: 'Whether the client must push its authorization requests (RFC 9126).',
  require_signed_request_object: 'Whether the client must send signed request objects (RFC 9101).',
  dpop_bound_access_tokens: 'Whether the client must bind its access tokens by DPoP (RFC 9449).',
  tls_client_certificate_bound_access_tokens: 'Whether access tokens are bound to the client certificate (RFC 8705).',
  use_mtls_endpoint_aliases: 'Whether the client uses the endpoints for client certificates (RFC 8705, section 5).',
  tls_client_auth_subject_dn: 'The subject of the client certificate (RFC 8705, section 2.1.2).',
  tls_client_auth_san_dns: 'A DNS name in the client certificate.',
  tls_client_auth_san_uri: 'A URI in the client certificate.',
  tls_client_auth_san_ip: 'An IP address in the client certificate.',
  tls_client_auth_san_email: 'An email address in the client certificate.',
  authorization_details_types: 'The types of authorization details that the client may request (RFC 9396).',
  backchannel_token_delivery_mode:
    'How the client gets the tokens of a CIBA request: by polling, or after a notification.',
  backchannel_client_notification_endpoint: 'The URL to which Carnet sends CIBA notifications.',
  backchannel_authentication_request_signing_alg: 'The algorithm of signed CIBA requests.',
  backchannel_user_code_parameter: 'Whether CIBA requests may contain a user code.',
  software_id: 'The id of the software, the same for all its registrations.',
  software_version: 'The version of the software.',
};
