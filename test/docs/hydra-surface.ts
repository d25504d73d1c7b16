/** The surface of Ory Hydra 26.2. Its configuration keys are in `packages/cli/src/config/hydra/hydra-keys.ts`. */

/** One endpoint, operation, parameter or command. Tests check with a running provider whether Carnet has it. */
export interface HydraRow {
  /** How Carnet differs. */
  readonly differs?: string;
  /** Why Carnet does not have it. */
  readonly reason?: string;
}

export interface PublicEndpoint extends HydraRow {
  /** `GET /path`. */
  readonly endpoint: string;
  /** The methods of `@ory/hydra-client` that call it. */
  readonly operations?: readonly string[];
}

const noCredentials = 'Verifiable credentials follow a draft of 2023 that Hydra implements for itself.';
const noFallback = 'Carnet reports missing page URLs when it starts, and has an error page.';

const userinfo = 'Has `aud`, `iss`, `iat`, `auth_time`, `acr` and `amr` with `oidc.userinfo: hydra`.';

export const publicEndpoints: readonly PublicEndpoint[] = [
  { endpoint: 'GET /oauth2/auth', operations: ['oAuth2Authorize'] },
  { endpoint: 'POST /oauth2/auth' },
  { endpoint: 'POST /oauth2/token', operations: ['oauth2TokenExchange'] },
  { endpoint: 'POST /oauth2/revoke', operations: ['revokeOAuth2Token'] },
  { endpoint: 'GET /userinfo', operations: ['getOidcUserInfo'], differs: userinfo },
  { endpoint: 'POST /userinfo', differs: userinfo },
  {
    endpoint: 'GET /.well-known/openid-configuration',
    operations: ['discoverOidcConfiguration'],
    differs: 'Has members that the Go SDK does not know and refuses, unless `oidc.discovery` is `hydra`.',
  },
  { endpoint: 'GET /.well-known/oauth-authorization-server' },
  { endpoint: 'GET /.well-known/jwks.json', operations: ['discoverJsonWebKeys'] },
  {
    endpoint: 'GET /oauth2/sessions/logout',
    operations: ['revokeOidcSession'],
    differs: '`client_id` in place of `id_token_hint` is accepted, as RP-Initiated Logout 1.0 has it.',
  },
  { endpoint: 'POST /oauth2/sessions/logout' },
  {
    endpoint: 'POST /oauth2/device/auth',
    operations: ['oAuth2DeviceFlow'],
    differs: 'Guesses of user codes are limited.',
  },
  { endpoint: 'GET /oauth2/device/verify', operations: ['performOAuth2DeviceVerificationFlow'] },
  { endpoint: 'POST /oauth2/register', operations: ['createOidcDynamicClient'] },
  { endpoint: 'GET /oauth2/register/{id}', operations: ['getOidcDynamicClient'] },
  {
    endpoint: 'PUT /oauth2/register/{id}',
    operations: ['setOidcDynamicClient'],
    differs: 'A `client_id` that is not that of the path is refused (RFC 7592, section 2.2).',
  },
  { endpoint: 'DELETE /oauth2/register/{id}', operations: ['deleteOidcDynamicClient'] },
  { endpoint: 'POST /credentials', operations: ['createVerifiableCredential'], reason: noCredentials },
  { endpoint: 'GET /oauth2/fallbacks/login', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/consent', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/logout', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/logout/callback', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/device', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/device/done', reason: noFallback },
  { endpoint: 'GET /oauth2/fallbacks/error', reason: noFallback },
  { endpoint: 'GET /health/alive', operations: ['isAlive'] },
  { endpoint: 'GET /health/ready', operations: ['isReady'] },
];

const expired =
  'A challenge that has expired or was used returns 410 with `redirect_to`, not 401: redirect the browser there to start again.';

export interface AdminOperation extends HydraRow {
  readonly operation: string;
  /** Parameters that are not there, with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

/** The operations of the admin API, by the names that the SDKs call them. */
export const adminOperations: readonly AdminOperation[] = [
  { operation: 'listOAuth2Clients' },
  { operation: 'createOAuth2Client', differs: '`client_secret_hash` takes a hash in place of the secret.' },
  { operation: 'getOAuth2Client' },
  { operation: 'setOAuth2Client' },
  { operation: 'patchOAuth2Client' },
  { operation: 'deleteOAuth2Client', differs: 'Its grants, tokens and remembered consents become invalid with it.' },
  { operation: 'setOAuth2ClientLifespans' },
  { operation: 'rotateOAuth2ClientSecret' },
  { operation: 'deleteRotatedOAuth2ClientSecrets' },
  { operation: 'introspectOAuth2Token', differs: '503 while the store does not answer, never "inactive".' },
  { operation: 'deleteOAuth2Token' },
  { operation: 'getOAuth2LoginRequest', differs: expired },
  { operation: 'acceptOAuth2LoginRequest', differs: expired },
  { operation: 'rejectOAuth2LoginRequest', differs: expired },
  { operation: 'getOAuth2ConsentRequest', differs: expired },
  {
    operation: 'acceptOAuth2ConsentRequest',
    differs: '`grant_scope` must be within the registered scopes of the client.',
  },
  { operation: 'rejectOAuth2ConsentRequest', differs: expired },
  {
    operation: 'getOAuth2LogoutRequest',
    differs: `${expired} \`request_url\` has no query, because that may hold an ID token.`,
  },
  { operation: 'acceptOAuth2LogoutRequest', differs: expired },
  { operation: 'rejectOAuth2LogoutRequest', differs: expired },
  { operation: 'acceptUserCodeRequest' },
  { operation: 'revokeOAuth2LoginSessions' },
  { operation: 'listOAuth2ConsentSessions', differs: '`request_url` has no `id_token_hint`: Carnet stores no token.' },
  { operation: 'revokeOAuth2ConsentSessions' },
  { operation: 'getJsonWebKeySet', differs: 'The private members of signing keys are not returned.' },
  {
    operation: 'createJsonWebKeySet',
    differs:
      'A new signing key is published first and signs later, when clients have fetched it: [keys.md](../operate/keys.md).',
  },
  { operation: 'setJsonWebKeySet' },
  { operation: 'deleteJsonWebKeySet' },
  { operation: 'getJsonWebKey', differs: 'The private members of signing keys are not returned.' },
  { operation: 'setJsonWebKey' },
  { operation: 'deleteJsonWebKey' },
  { operation: 'listTrustedOAuth2JwtGrantIssuers' },
  {
    operation: 'trustOAuth2JwtGrantIssuer',
    differs: 'The `id` is 43 characters, not a UUID. An `expires_at` in the past and a private key are refused.',
  },
  { operation: 'getTrustedOAuth2JwtGrantIssuer' },
  { operation: 'deleteTrustedOAuth2JwtGrantIssuer' },
  { operation: 'isAlive' },
  { operation: 'isReady' },
  { operation: 'getVersion' },
];

/** A parameter or protocol feature, and where the discovery document says that it is there. */
export interface ProtocolFeature extends HydraRow {
  readonly feature: string;
  readonly member: string;
  /** What the member holds, or lists. Default true. */
  readonly value?: unknown;
}

export const protocolFeatures: readonly ProtocolFeature[] = [
  ...['authorization_code', 'refresh_token', 'client_credentials', 'implicit'].map((value) => ({
    feature: `grant_type \`${value}\``,
    member: 'grant_types_supported',
    value,
    ...(value === 'implicit' && { differs: 'Off unless `features.implicit.enabled`.' }),
  })),
  {
    feature: 'grant_type `urn:ietf:params:oauth:grant-type:jwt-bearer`',
    member: 'grant_types_supported',
    value: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  },
  {
    feature: 'grant_type `urn:ietf:params:oauth:grant-type:device_code`',
    member: 'grant_types_supported',
    value: 'urn:ietf:params:oauth:grant-type:device_code',
  },
  ...['code', 'code id_token', 'code token', 'code id_token token', 'id_token', 'id_token token'].map((value) => ({
    feature: `response_type \`${value}\``,
    member: 'response_types_supported',
    value,
    ...(value !== 'code' && { differs: 'Off unless `features.implicit.enabled` or `features.hybrid.enabled`.' }),
  })),
  {
    feature: 'response_type `token`',
    member: 'response_types_supported',
    value: 'token',
    reason: 'OAuth 2.0 Security Best Current Practice (RFC 9700, section 2.1.2) advises against it.',
  },
  ...['query', 'fragment', 'form_post'].map((value) => ({
    feature: `response_mode \`${value}\``,
    member: 'response_modes_supported',
    value,
  })),
  ...['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'].map((value) => ({
    feature: `token_endpoint_auth_method \`${value}\``,
    member: 'token_endpoint_auth_methods_supported',
    value,
  })),
  {
    feature: 'code_challenge_method `S256`',
    member: 'code_challenge_methods_supported',
    value: 'S256',
    differs: 'A wrong verifier does not consume the code, and the code can never be redeemed without a verifier.',
  },
  { feature: 'subject_type `public`', member: 'subject_types_supported', value: 'public' },
  {
    feature: 'subject_type `pairwise`',
    member: 'subject_types_supported',
    value: 'pairwise',
    differs: 'Switched on by `oidc.subjectIdentifiers`, as in Hydra; `sub` is computed alike from the same salt.',
  },
  { feature: 'parameter `request`', member: 'request_parameter_supported' },
  {
    feature: 'parameter `request_uri`',
    member: 'request_uri_parameter_supported',
    differs: 'Off unless `features.jar.byReference`; private addresses are refused.',
  },
  { feature: 'back-channel logout', member: 'backchannel_logout_supported' },
  { feature: 'front-channel logout', member: 'frontchannel_logout_supported' },
];

export interface HydraCommand extends HydraRow {
  readonly command: string;
}

export const hydraCommands: readonly HydraCommand[] = [
  { command: 'serve all' },
  { command: 'serve public' },
  { command: 'serve admin' },
  { command: 'migrate sql', differs: 'The store is named by the configuration; `-e` is accepted.' },
  { command: 'migrate sql up' },
  { command: 'migrate sql down', differs: 'Asks for `--yes`; one step at a time.' },
  { command: 'migrate sql status' },
  { command: 'migrate gen', reason: 'A tool for those who work on Hydra.' },
  {
    command: 'janitor',
    differs: 'Removes all that has expired, whatever is said with it. Each process does so by itself.',
  },
  {
    command: 'create oauth2-client',
    differs: '`--pgp-key` and `--keybase` are not there: pipe the output to a tool of yours.',
  },
  { command: 'get oauth2-client' },
  { command: 'list oauth2-clients' },
  {
    command: 'update oauth2-client',
    differs: 'Changes what is named, and nothing else. `--replace` is what Hydra does.',
  },
  { command: 'delete oauth2-client' },
  {
    command: 'import oauth2-client',
    differs: 'Takes hashes as secrets, and what `list oauth2-clients --format json` prints.',
  },
  { command: 'create jwk' },
  { command: 'get jwk' },
  { command: 'import jwk' },
  { command: 'delete jwk' },
  { command: 'introspect token' },
  { command: 'revoke token' },
  { command: 'delete access-tokens' },
  {
    command: 'perform authorization-code',
    differs:
      'Uses PKCE and discovery; the tokens are shown on the terminal alone. No `--https`, `--auth-url`, `--token-url`.',
  },
  { command: 'perform client-credentials' },
  { command: 'perform device-code', differs: 'Uses discovery.' },
  { command: 'version' },
  { command: 'help' },
  { command: 'completion' },
];
