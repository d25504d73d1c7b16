import {
  bcryptCost,
  boolean,
  type Converted,
  codeCharacters,
  codeLength,
  codePreset,
  duration,
  grace,
  host,
  issuer,
  logLevel,
  number,
  pkce,
  refreshLifetime,
  scopeStrategy,
  secrets,
} from './conversions.ts';
import { storeUrl } from './store-url.ts';

/** One key of Hydra's configuration, together with all keys below it. */
export interface HydraKey {
  readonly key: string;
  /** Carnet's key; undefined if there is none. */
  readonly to?: string;
  /** Converts the value. Default: unchanged. */
  readonly convert?: (value: unknown) => Converted;
  /** The variable's text is a list. */
  readonly isList?: true;
  /** How Carnet's key differs. Without `to`: why there is none. */
  readonly reason?: string;
}

const behindProxy = 'TLS ends at the proxy in front.';
const urlsOfIssuer = 'Every URL is the issuer with a path of its own: a document that names others would be wrong.';
const derived = 'Everything is derived from `secrets.system`, with a key of its own for each purpose.';
const tracingStandard = 'Spans are for the OpenTelemetry API, which the program configures (`OTEL_...`).';

/** A hook: its URL, or its URL and the credentials that it is called with. */
const hook = (key: string, to: string): readonly HydraKey[] => [
  { key, to: `${to}.url` },
  { key: `${key}.url`, to: `${to}.url` },
  { key: `${key}.auth.type`, reason: 'Carnet supports only `api_key`.' },
  ...['in', 'name', 'value'].map((member) => ({ key: `${key}.auth.config.${member}`, to: `${to}.auth.${member}` })),
];

/** Hydra's keys, in the order of its reference. A row covers all keys below it that have no row of their own. */
export const hydraKeys: readonly HydraKey[] = [
  {
    key: 'dsn',
    to: 'storage.default',
    convert: storeUrl,
    reason: 'Carnet creates its own tables beside those of Hydra.',
  },
  { key: 'serve.public.host', to: 'public.host', convert: host },
  { key: 'serve.public.port', to: 'public.port', convert: number },
  {
    key: 'serve.public.cors',
    reason:
      'A page may call the token endpoint from the `allowed_cors_origins` of the client. For a public client without any, every origin is allowed, as for metadata documents and registration.',
  },
  { key: 'serve.public.tls', reason: behindProxy },
  { key: 'serve.public.socket', reason: 'Carnet listens on TCP only.' },
  { key: 'serve.public.access_log', reason: 'Carnet logs health checks like other requests.' },
  { key: 'serve.public.request_log', reason: 'Carnet logs health checks like other requests.' },
  {
    key: 'serve.admin.host',
    to: 'admin.host',
    convert: host,
    reason: 'Off loopback it needs ADMIN_TOKEN. The default is 127.0.0.1, not all addresses.',
  },
  { key: 'serve.admin.port', to: 'admin.port', convert: number },
  { key: 'serve.admin.cors', reason: 'No web page may call the admin API.' },
  { key: 'serve.admin.tls', reason: behindProxy },
  { key: 'serve.admin.socket', reason: 'Carnet listens on TCP only.' },
  { key: 'serve.admin.access_log', reason: 'Carnet logs health checks like other requests.' },
  { key: 'serve.admin.request_log', reason: 'Carnet logs health checks like other requests.' },
  { key: 'serve.tls', reason: behindProxy },
  {
    key: 'serve.cookies',
    reason: 'On https, cookies are always `__Host-`, `Secure` and `SameSite=Lax`.',
  },
  { key: 'log.level', to: 'log.level', convert: logLevel },
  { key: 'log.format', reason: 'Logs are lines of JSON.' },
  { key: 'log.leak_sensitive_values', reason: 'Carnet never logs secrets, codes and tokens.' },
  { key: 'log.redaction_text', reason: 'Masked values are logged as `***`.' },
  { key: 'log.additional_redacted_headers', reason: 'Carnet logs no headers.' },
  { key: 'urls.self.issuer', to: 'issuer', convert: issuer },
  { key: 'urls.self.public', reason: urlsOfIssuer },
  { key: 'urls.self.admin', reason: 'No response contains the URL of the admin listener.' },
  { key: 'urls.login', to: 'urls.login' },
  {
    key: 'urls.registration',
    to: 'urls.registration',
    reason:
      'For `prompt=registration`, which discovery does not announce because some client libraries refuse unknown prompts, and for `prompt=create` of OpenID Connect. `identity_schema` is not passed on.',
  },
  { key: 'urls.consent', to: 'urls.consent' },
  { key: 'urls.logout', to: 'urls.logout' },
  { key: 'urls.error', to: 'urls.error' },
  { key: 'urls.post_logout_redirect', to: 'urls.postLogoutRedirect' },
  { key: 'urls.device.verification', to: 'urls.device.verification' },
  { key: 'urls.device.success', to: 'urls.device.success' },
  { key: 'urls.device_verification', to: 'urls.device.verification', reason: 'The spelling of an older quickstart.' },
  {
    key: 'urls.device_verification_success',
    to: 'urls.device.success',
    reason: 'The spelling of an older quickstart.',
  },
  { key: 'urls.identity_provider', reason: 'A logout does not end sessions of Ory Kratos.' },
  { key: 'strategies.access_token', to: 'tokens.accessTokenStrategy' },
  {
    key: 'strategies.scope',
    to: 'tokens.scopeStrategy',
    convert: scopeStrategy,
    reason: 'The default is `exact`, not `wildcard`.',
  },
  { key: 'strategies.jwt.scope_claim', to: 'tokens.scopeClaim' },
  { key: 'ttl.login_consent_request', to: 'ttl.loginConsentRequest', convert: duration },
  { key: 'ttl.authentication_session', to: 'ttl.authenticationSession', convert: duration },
  { key: 'ttl.access_token', to: 'ttl.accessToken', convert: duration },
  { key: 'ttl.refresh_token', to: 'ttl.refreshToken', convert: refreshLifetime },
  { key: 'ttl.id_token', to: 'ttl.idToken', convert: duration },
  { key: 'ttl.auth_code', to: 'ttl.authCode', convert: duration },
  { key: 'ttl.device_user_code', to: 'ttl.deviceUserCode', convert: duration },
  { key: 'ttl.vc_nonce', reason: 'Carnet has no verifiable credentials.' },
  {
    key: 'secrets.system',
    to: 'secrets.system',
    isList: true,
    convert: secrets,
    reason: 'Carnet cannot decrypt what Hydra encrypted: users sign in again.',
  },
  { key: 'secrets.cookie', reason: derived },
  { key: 'secrets.pagination', reason: derived },
  { key: 'oidc.subject_identifiers.supported_types', to: 'oidc.subjectIdentifiers.supportedTypes', isList: true },
  { key: 'oidc.subject_identifiers.pairwise.salt', to: 'oidc.subjectIdentifiers.pairwise.salt' },
  {
    key: 'oidc.dynamic_client_registration.enabled',
    to: 'oidc.dynamicClientRegistration.enabled',
    convert: boolean,
  },
  {
    key: 'oidc.dynamic_client_registration.default_scope',
    to: 'oidc.dynamicClientRegistration.defaultScope',
    isList: true,
  },
  {
    key: 'webfinger.jwks',
    reason: 'The JWKS has the active, announced and retired signing keys.',
  },
  { key: 'webfinger.oidc_discovery.supported_claims', to: 'oidc.supportedClaims', isList: true },
  { key: 'webfinger.oidc_discovery.supported_scope', to: 'oidc.supportedScopes', isList: true },
  { key: 'webfinger.oidc_discovery', reason: urlsOfIssuer },
  { key: 'oauth2.pkce.enforced', to: 'pkce.required', convert: pkce('always') },
  {
    key: 'oauth2.pkce.enforced_for_public_clients',
    to: 'pkce.required',
    convert: pkce('public'),
    reason: 'It is the default in Carnet.',
  },
  { key: 'oauth2.hashers.bcrypt.cost', to: 'clientSecrets.bcryptCost', convert: bcryptCost },
  {
    key: 'oauth2.hashers.algorithm',
    reason: 'Carnet hashes chosen secrets with bcrypt. It verifies imported PBKDF2 hashes, but creates none.',
  },
  {
    key: 'oauth2.hashers.pbkdf2',
    reason: 'Carnet hashes chosen secrets with bcrypt. It verifies imported PBKDF2 hashes, but creates none.',
  },
  { key: 'oauth2.session', reason: 'Claims of a session are stored unencrypted. Tokens are never stored.' },
  { key: 'oauth2.expose_internal_errors', reason: 'The log has internal errors under the request id.' },
  { key: 'oauth2.include_legacy_error_fields', reason: 'Errors have the two members of RFC 6749.' },
  { key: 'oauth2.exclude_not_before_claim', to: 'tokens.excludeNotBeforeClaim', convert: boolean },
  { key: 'oauth2.allowed_top_level_claims', to: 'tokens.allowedTopLevelClaims', isList: true },
  { key: 'oauth2.mirror_top_level_claims', to: 'tokens.mirrorTopLevelClaims', convert: boolean },
  { key: 'oauth2.preserve_ext_claims', reason: 'Claims of a session stay below `ext` until a hook replaces them.' },
  {
    key: 'oauth2.client_credentials.default_grant_allowed_scope',
    reason: 'A client gets the scopes that it requests.',
  },
  ...hook('oauth2.token_hook', 'hooks.token'),
  ...hook('oauth2.refresh_token_hook', 'hooks.refreshToken'),
  {
    key: 'oauth2.grant.refresh_token.rotation_grace_period',
    to: 'tokens.refreshGraceSeconds',
    convert: grace,
    reason: 'At most 180 days. The default is 10 seconds, not 0.',
  },
  {
    key: 'oauth2.grant.refresh_token.rotation_grace_reuse_count',
    to: 'tokens.refreshGraceReuseCount',
    convert: number,
  },
  { key: 'oauth2.grant.jwt.jti_optional', to: 'features.jwtBearer.jtiOptional', convert: boolean },
  { key: 'oauth2.grant.jwt.iat_optional', to: 'features.jwtBearer.iatOptional', convert: boolean },
  { key: 'oauth2.grant.jwt.max_ttl', to: 'features.jwtBearer.maxAssertionSeconds', convert: duration },
  {
    key: 'oauth2.device_authorization.token_polling_interval',
    to: 'features.device.pollingIntervalSeconds',
    convert: duration,
  },
  { key: 'oauth2.device_authorization.user_code.length', to: 'features.device.userCode.length', convert: codeLength },
  {
    key: 'oauth2.device_authorization.user_code.character_set',
    to: 'features.device.userCode.characters',
    convert: codeCharacters,
    reason: 'Only capital letters and digits.',
  },
  {
    key: 'oauth2.device_authorization.user_code.entropy_preset',
    to: 'features.device.userCode',
    convert: codePreset,
    reason: 'As length and characters.',
  },
  {
    key: 'clients.http.disallow_private_ip_ranges',
    reason: 'Private addresses are refused unless `outbound.allow` lists them.',
  },
  {
    key: 'clients.http.private_ip_exception_urls',
    reason: '`outbound.allow` accepts hosts and networks, but no URL patterns.',
  },
  { key: 'hsm', reason: 'The settings differ: set `keys.source` to `external`, and `keys.signer` to `pkcs11:...`.' },
  { key: 'db', reason: 'An older version ignores columns that it does not know.' },
  {
    key: 'dev',
    to: 'dev',
    convert: boolean,
    reason: 'It also generates missing values, and refuses NODE_ENV=production.',
  },
  { key: 'tracing', reason: tracingStandard },
  { key: 'sqa', reason: 'Carnet reports nothing to its authors.' },
  { key: 'cgroups', reason: 'Set the number of processes: `workers`.' },
  { key: 'profiling', reason: 'Use the profiler of Node.js: `node --cpu-prof`.' },
  { key: 'feature_flags', reason: 'Carnet has none of the flags of Hydra.' },
  { key: 'version', reason: 'The file is checked against the schema of the version that reads it.' },
];
