import { type FeatureName, featureNames, isSecretKey } from '@carnet/provider/config';
import { type GroupName, groupNames } from '@carnet/provider/storage';

/** One environment variable: the key it sets, and how its text is read. */
export interface Variable {
  readonly name: string;
  readonly key: string;
  /** Default `text`. A `list` is separated by commas. A text that is not a number stays text, and the schema refuses it. */
  readonly type?: 'text' | 'integer' | 'list' | 'boolean' | 'json';
  /** Used only when nothing else sets the key. */
  readonly fallback?: true;
}

/** `clientCredentials` -> `CLIENT_CREDENTIALS`. */
const upperSnake = (name: GroupName | FeatureName): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

const accountsVariables: readonly Variable[] = [
  { name: 'ACCOUNTS_DATABASE', key: 'accounts.database' },
  { name: 'ACCOUNTS_MIGRATE', key: 'accounts.migrate', type: 'boolean' },
  { name: 'ACCOUNTS_DIRECTORIES', key: 'accounts.directories', type: 'json' },
  { name: 'ACCOUNTS_CACHE_PLACE', key: 'accounts.cache.place' },
  { name: 'ACCOUNTS_CACHE_MAX_ENTRIES', key: 'accounts.cache.maxEntries', type: 'integer' },
  { name: 'ACCOUNTS_SECOND_FACTORS_POLICY', key: 'accounts.secondFactors.policy' },
  { name: 'ACCOUNTS_SECOND_FACTORS_REALMS', key: 'accounts.secondFactors.realms', type: 'json' },
  { name: 'ACCOUNTS_SECOND_FACTORS_CLIENTS', key: 'accounts.secondFactors.clients', type: 'json' },
  { name: 'ACCOUNTS_SECOND_FACTORS_KINDS', key: 'accounts.secondFactors.kinds', type: 'list' },
  { name: 'ACCOUNTS_PASSKEYS_RP_ID', key: 'accounts.passkeys.rpId' },
  { name: 'ACCOUNTS_PASSKEYS_RP_NAME', key: 'accounts.passkeys.rpName' },
  { name: 'ACCOUNTS_PASSKEYS_ORIGINS', key: 'accounts.passkeys.origins', type: 'list' },
  { name: 'ACCOUNTS_SIGN_UP_ENABLED', key: 'accounts.signUp.enabled', type: 'boolean' },
  { name: 'ACCOUNTS_RECOVERY_ENABLED', key: 'accounts.recovery.enabled', type: 'boolean' },
  { name: 'ACCOUNTS_DELETION_ENABLED', key: 'accounts.deletion.enabled', type: 'boolean' },
  { name: 'ACCOUNTS_DELETION_GRACE_SECONDS', key: 'accounts.deletion.graceSeconds' },
  { name: 'ACCOUNTS_MAIL_URL', key: 'accounts.mail.url' },
  { name: 'ACCOUNTS_MAIL_FROM', key: 'accounts.mail.from' },
  { name: 'ACCOUNTS_SCOPES', key: 'accounts.scopes', type: 'json' },
  { name: 'ACCOUNTS_PASSWORDS_MINIMUM_LENGTH', key: 'accounts.passwords.minimumLength', type: 'integer' },
  { name: 'ACCOUNTS_PASSWORDS_CHECK', key: 'accounts.passwords.check' },
  { name: 'ACCOUNTS_ATTEMPTS_PER_LOGIN', key: 'accounts.attempts.perLogin', type: 'integer' },
  { name: 'ACCOUNTS_ATTEMPTS_PER_ADDRESS', key: 'accounts.attempts.perAddress', type: 'integer' },
  { name: 'ACCOUNTS_ATTEMPTS_WINDOW_SECONDS', key: 'accounts.attempts.windowSeconds' },
  { name: 'ACCOUNTS_VALIDATE_CHECK_ENABLED', key: 'accounts.validateCheck.enabled', type: 'boolean' },
  { name: 'ACCOUNTS_VALIDATE_CHECK_TOKEN', key: 'accounts.validateCheck.token' },
  { name: 'ACCOUNTS_VALIDATE_CHECK_ALLOW', key: 'accounts.validateCheck.allow', type: 'list' },
  { name: 'ACCOUNTS_VALIDATE_CHECK_MODE', key: 'accounts.validateCheck.mode' },
  {
    name: 'ACCOUNTS_REVOKE_TOKENS_ON_PASSWORD_CHANGE',
    key: 'accounts.revokeTokensOnPasswordChange',
    type: 'boolean',
  },
];

/** Every variable Carnet reads, besides `NODE_ENV` and the secrets of single directories and clients (`item-secrets.ts`). */
export const variables: readonly Variable[] = [
  { name: 'ISSUER', key: 'issuer' },
  { name: 'HOST', key: 'public.host' },
  { name: 'PORT', key: 'public.port', type: 'integer' },
  { name: 'ADMIN_HOST', key: 'admin.host' },
  { name: 'ADMIN_PORT', key: 'admin.port', type: 'integer' },
  { name: 'ADMIN_TOKEN', key: 'admin.token' },
  { name: 'ADMIN_TOKENS', key: 'admin.tokens', type: 'json' },
  { name: 'METRICS_HOST', key: 'metrics.host' },
  { name: 'METRICS_PORT', key: 'metrics.port', type: 'integer' },
  { name: 'ADMIN_ALLOWED_HOSTS', key: 'admin.allowedHosts', type: 'list' },
  { name: 'ALLOWED_HOSTS', key: 'http.allowedHosts', type: 'list' },
  { name: 'OUTBOUND_ALLOW', key: 'outbound.allow', type: 'list' },
  { name: 'OUTBOUND_TIMEOUT_MS', key: 'outbound.timeoutMs', type: 'integer' },
  { name: 'OUTBOUND_MAX_BYTES', key: 'outbound.maxBytes', type: 'integer' },
  { name: 'TRUSTED_PROXIES', key: 'http.trustedProxies', type: 'list' },
  { name: 'CLIENT_CERTIFICATE_HEADER', key: 'http.clientCertificateHeader' },
  { name: 'CLIENT_VERIFIED_HEADER', key: 'http.clientVerifiedHeader' },
  { name: 'WORKERS', key: 'workers', type: 'integer' },
  { name: 'DATABASE_URL', key: 'storage.default' },
  { name: 'REDIS_URL', key: 'storage.default', fallback: true },
  ...groupNames.map((group): Variable => ({ name: `STORAGE_${upperSnake(group)}`, key: `storage.${group}` })),
  { name: 'STORAGE_MIGRATE', key: 'storage.migrate', type: 'boolean' },
  { name: 'STORAGE_SWEEP_SECONDS', key: 'storage.sweepSeconds' },
  { name: 'SECRETS_SYSTEM', key: 'secrets.system', type: 'list' },
  { name: 'URLS_LOGIN', key: 'urls.login' },
  { name: 'URLS_REGISTRATION', key: 'urls.registration' },
  { name: 'URLS_CONSENT', key: 'urls.consent' },
  { name: 'URLS_LOGOUT', key: 'urls.logout' },
  { name: 'URLS_ERROR', key: 'urls.error' },
  { name: 'URLS_POST_LOGOUT_REDIRECT', key: 'urls.postLogoutRedirect' },
  { name: 'URLS_DEVICE_VERIFICATION', key: 'urls.device.verification' },
  { name: 'URLS_DEVICE_SUCCESS', key: 'urls.device.success' },
  { name: 'TTL_LOGIN_CONSENT_REQUEST', key: 'ttl.loginConsentRequest' },
  { name: 'TTL_AUTHENTICATION_SESSION', key: 'ttl.authenticationSession' },
  { name: 'TTL_ACCESS_TOKEN', key: 'ttl.accessToken' },
  { name: 'TTL_REFRESH_TOKEN', key: 'ttl.refreshToken' },
  { name: 'TTL_ID_TOKEN', key: 'ttl.idToken' },
  { name: 'TTL_AUTH_CODE', key: 'ttl.authCode' },
  { name: 'URLS_BACKCHANNEL_AUTHENTICATION', key: 'urls.backchannelAuthentication' },
  { name: 'TTL_DEVICE_USER_CODE', key: 'ttl.deviceUserCode' },
  { name: 'ACCESS_TOKEN_STRATEGY', key: 'tokens.accessTokenStrategy' },
  { name: 'ACCESS_TOKEN_TYPE', key: 'tokens.accessTokenType' },
  { name: 'LOGOUT_FRONTCHANNEL_SECONDS', key: 'logout.frontchannelSeconds' },
  { name: 'LOGOUT_BACKCHANNEL_RETRIES', key: 'logout.backchannelRetries', type: 'list' },
  { name: 'LOGOUT_BACKCHANNEL_POLL_SECONDS', key: 'logout.backchannelPollSeconds' },
  { name: 'ID_TOKEN_CLAIMS', key: 'tokens.idTokenClaims' },
  { name: 'PKCE_REQUIRED', key: 'pkce.required' },
  { name: 'ALLOWED_TOP_LEVEL_CLAIMS', key: 'tokens.allowedTopLevelClaims', type: 'list' },
  { name: 'MIRROR_TOP_LEVEL_CLAIMS', key: 'tokens.mirrorTopLevelClaims', type: 'boolean' },
  { name: 'EXCLUDE_NOT_BEFORE_CLAIM', key: 'tokens.excludeNotBeforeClaim', type: 'boolean' },
  { name: 'SCOPE_CLAIM', key: 'tokens.scopeClaim' },
  { name: 'REFRESH_GRACE_REUSE_COUNT', key: 'tokens.refreshGraceReuseCount', type: 'integer' },
  ...(['token', 'refreshToken'] as const).flatMap((hook): Variable[] => {
    const name = `HOOKS_${hook === 'token' ? 'TOKEN' : 'REFRESH_TOKEN'}`;
    return [
      { name: `${name}_URL`, key: `hooks.${hook}.url` },
      { name: `${name}_AUTH_IN`, key: `hooks.${hook}.auth.in` },
      { name: `${name}_AUTH_NAME`, key: `hooks.${hook}.auth.name` },
      { name: `${name}_AUTH_VALUE`, key: `hooks.${hook}.auth.value` },
    ];
  }),
  { name: 'HOOKS_TIMEOUT_MS', key: 'hooks.timeoutMs', type: 'integer' },
  { name: 'SCOPE_STRATEGY', key: 'tokens.scopeStrategy' },
  { name: 'REFRESH_GRACE_SECONDS', key: 'tokens.refreshGraceSeconds' },
  { name: 'JWT_BEARER_MAX_ASSERTION_SECONDS', key: 'features.jwtBearer.maxAssertionSeconds' },
  { name: 'JWT_BEARER_IAT_OPTIONAL', key: 'features.jwtBearer.iatOptional', type: 'boolean' },
  { name: 'JWT_BEARER_JTI_OPTIONAL', key: 'features.jwtBearer.jtiOptional', type: 'boolean' },
  ...featureNames.map(
    (name): Variable => ({ name: `FEATURES_${upperSnake(name)}`, key: `features.${name}.enabled`, type: 'boolean' }),
  ),
  {
    name: 'CLIENT_ID_METADATA_DOCUMENT_ALLOWED_HOSTS',
    key: 'features.clientIdMetadataDocument.allowedHosts',
    type: 'list',
  },
  { name: 'OIDC_SUBJECT_IDENTIFIERS_SUPPORTED_TYPES', key: 'oidc.subjectIdentifiers.supportedTypes', type: 'list' },
  { name: 'OIDC_FAST_PATH', key: 'oidc.fastPath', type: 'boolean' },
  { name: 'OIDC_PROFILE', key: 'oidc.profile' },
  { name: 'OIDC_DISCOVERY', key: 'oidc.discovery' },
  { name: 'OIDC_USERINFO', key: 'oidc.userinfo' },
  { name: 'OIDC_SUPPORTED_CLAIMS', key: 'oidc.supportedClaims', type: 'list' },
  { name: 'OIDC_SUPPORTED_SCOPES', key: 'oidc.supportedScopes', type: 'list' },
  { name: 'OIDC_SUPPORTED_ACR_VALUES', key: 'oidc.supportedAcrValues', type: 'list' },
  { name: 'OIDC_SUBJECT_IDENTIFIERS_PAIRWISE_SALT', key: 'oidc.subjectIdentifiers.pairwise.salt' },
  { name: 'KEYS_SOURCE', key: 'keys.source' },
  { name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_ENABLED', key: 'oidc.dynamicClientRegistration.enabled', type: 'boolean' },
  { name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_ACCESS', key: 'oidc.dynamicClientRegistration.access' },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_DEFAULT_SCOPE',
    key: 'oidc.dynamicClientRegistration.defaultScope',
    type: 'list',
  },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_DEFAULT_AUDIENCE',
    key: 'oidc.dynamicClientRegistration.defaultAudience',
    type: 'list',
  },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_ALLOWED_SCOPES',
    key: 'oidc.dynamicClientRegistration.allowedScopes',
    type: 'list',
  },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_ALLOWED_GRANT_TYPES',
    key: 'oidc.dynamicClientRegistration.allowedGrantTypes',
    type: 'list',
  },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_ALLOWED_REDIRECT_HOSTS',
    key: 'oidc.dynamicClientRegistration.allowedRedirectHosts',
    type: 'list',
  },
  {
    name: 'OIDC_DYNAMIC_CLIENT_REGISTRATION_MAX_PER_MINUTE',
    key: 'oidc.dynamicClientRegistration.maxPerMinute',
    type: 'integer',
  },
  { name: 'KEYS_FILE', key: 'keys.file' },
  // Not a list: the URLs have commas. They are separated by spaces.
  { name: 'SIGNER', key: 'keys.signer' },
  { name: 'KEYS_SEALED_BY', key: 'keys.sealedBy' },
  { name: 'KEYS_SIGNER_TIMEOUT_MS', key: 'keys.signerTimeoutMs', type: 'integer' },
  { name: 'KEYS_SIGNER_CONCURRENCY', key: 'keys.signerConcurrency', type: 'integer' },
  { name: 'KEYS_ALGORITHMS', key: 'keys.algorithms', type: 'list' },
  { name: 'KEYS_ANNOUNCED', key: 'keys.announced' },
  { name: 'KEYS_ACTIVE', key: 'keys.active' },
  { name: 'KEYS_RETIRED', key: 'keys.retired' },
  { name: 'KEYS_POLL_SECONDS', key: 'keys.pollSeconds' },
  { name: 'ID_TOKEN_ALG', key: 'keys.idTokenAlg' },
  { name: 'CLIENTS', key: 'clients', type: 'json' },
  { name: 'CLIENT_SECRETS_BCRYPT_COST', key: 'clientSecrets.bcryptCost', type: 'integer' },
  {
    name: 'CLIENT_SECRETS_MAX_PENDING_VERIFICATIONS',
    key: 'clientSecrets.maxPendingVerifications',
    type: 'integer',
  },
  { name: 'CLIENT_CACHE_ENTRIES', key: 'clientCache.entries', type: 'integer' },
  { name: 'CLIENT_CACHE_SECONDS', key: 'clientCache.seconds' },
  ...accountsVariables,
  { name: 'LOG_LEVEL', key: 'log.level' },
];

/** The variable that names a file with the value. Only keys whose schema declares a secret have one. */
export const fileVariableOf = ({ name, key }: Variable): string | undefined =>
  isSecretKey(key) ? `${name}_FILE` : undefined;

/** The variable that sets a key; the first one when there are two. */
export const variableFor = (key: string): string | undefined =>
  variables.find((variable) => variable.key === key)?.name;
