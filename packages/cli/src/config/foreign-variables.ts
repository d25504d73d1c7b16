/** Variables that Carnet does not read, and the keys that they set: in an earlier version, or in Ory Hydra. */

export const formerVariables: Readonly<Record<string, string>> = {
  BCRYPT_COST: 'clientSecrets.bcryptCost',
  CLIENTS_BCRYPT_COST: 'clientSecrets.bcryptCost',
  CLIENTS_MAX_PENDING_VERIFICATIONS: 'clientSecrets.maxPendingVerifications',
  CLIENTS_CACHE_ENTRIES: 'clientCache.entries',
  CLIENTS_CACHE_SECONDS: 'clientCache.seconds',
};

export const hydraVariables: Readonly<Record<string, string>> = {
  DSN: 'storage.default',
  SERVE_PUBLIC_HOST: 'public.host',
  SERVE_PUBLIC_PORT: 'public.port',
  SERVE_ADMIN_HOST: 'admin.host',
  SERVE_ADMIN_PORT: 'admin.port',
  URLS_SELF_ISSUER: 'issuer',
  URLS_DEVICE_VERIFICATION_SUCCESS: 'urls.device.success',
  STRATEGIES_ACCESS_TOKEN: 'tokens.accessTokenStrategy',
  STRATEGIES_SCOPE: 'tokens.scopeStrategy',
  STRATEGIES_JWT_SCOPE_CLAIM: 'tokens.scopeClaim',
  WEBFINGER_OIDC_DISCOVERY_SUPPORTED_CLAIMS: 'oidc.supportedClaims',
  WEBFINGER_OIDC_DISCOVERY_SUPPORTED_SCOPE: 'oidc.supportedScopes',
  OAUTH2_PKCE_ENFORCED: 'pkce.required',
  OAUTH2_PKCE_ENFORCED_FOR_PUBLIC_CLIENTS: 'pkce.required',
  OAUTH2_HASHERS_BCRYPT_COST: 'clientSecrets.bcryptCost',
  OAUTH2_EXCLUDE_NOT_BEFORE_CLAIM: 'tokens.excludeNotBeforeClaim',
  OAUTH2_ALLOWED_TOP_LEVEL_CLAIMS: 'tokens.allowedTopLevelClaims',
  OAUTH2_MIRROR_TOP_LEVEL_CLAIMS: 'tokens.mirrorTopLevelClaims',
  OAUTH2_TOKEN_HOOK: 'hooks.token.url',
  OAUTH2_TOKEN_HOOK_URL: 'hooks.token.url',
  OAUTH2_TOKEN_HOOK_AUTH_CONFIG_IN: 'hooks.token.auth.in',
  OAUTH2_TOKEN_HOOK_AUTH_CONFIG_NAME: 'hooks.token.auth.name',
  OAUTH2_TOKEN_HOOK_AUTH_CONFIG_VALUE: 'hooks.token.auth.value',
  OAUTH2_REFRESH_TOKEN_HOOK: 'hooks.refreshToken.url',
  OAUTH2_REFRESH_TOKEN_HOOK_URL: 'hooks.refreshToken.url',
  OAUTH2_REFRESH_TOKEN_HOOK_AUTH_CONFIG_IN: 'hooks.refreshToken.auth.in',
  OAUTH2_REFRESH_TOKEN_HOOK_AUTH_CONFIG_NAME: 'hooks.refreshToken.auth.name',
  OAUTH2_REFRESH_TOKEN_HOOK_AUTH_CONFIG_VALUE: 'hooks.refreshToken.auth.value',
  OAUTH2_GRANT_REFRESH_TOKEN_ROTATION_GRACE_PERIOD: 'tokens.refreshGraceSeconds',
  OAUTH2_GRANT_REFRESH_TOKEN_ROTATION_GRACE_REUSE_COUNT: 'tokens.refreshGraceReuseCount',
  OAUTH2_GRANT_JWT_JTI_OPTIONAL: 'features.jwtBearer.jtiOptional',
  OAUTH2_GRANT_JWT_IAT_OPTIONAL: 'features.jwtBearer.iatOptional',
  OAUTH2_GRANT_JWT_MAX_TTL: 'features.jwtBearer.maxAssertionSeconds',
  OAUTH2_DEVICE_AUTHORIZATION_TOKEN_POLLING_INTERVAL: 'features.device.pollingIntervalSeconds',
  OAUTH2_DEVICE_AUTHORIZATION_USER_CODE_LENGTH: 'features.device.userCode.length',
  OAUTH2_DEVICE_AUTHORIZATION_USER_CODE_CHARACTER_SET: 'features.device.userCode.characters',
  OAUTH2_DEVICE_AUTHORIZATION_USER_CODE_ENTROPY_PRESET: 'features.device.userCode',
};

/**
 * Whether Kubernetes or Docker has set a variable for a service: `CARNET_PORT=tcp://10.0.0.1:4444`, `CARNET_SERVICE_HOST`,
 * `CARNET_PORT_4444_TCP_ADDR`. A service named `admin` has `ADMIN_PORT`.
 */
export const isServiceLink = (name: string, value: string | undefined): boolean =>
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?$/.test(name) ||
  /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
