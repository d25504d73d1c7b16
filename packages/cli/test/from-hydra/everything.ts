/** A configuration of Hydra with a value for everything that its reference has. */
export const hydraWithEverything = `
version: v26.2.0
dsn: memory
serve:
  public:
    host: 127.0.0.1
    port: 4444
    socket: { owner: hydra, group: hydra, mode: 511 }
    cors: { enabled: true, allowed_origins: ['https://*.example.com'], allow_credentials: true }
    tls: { enabled: false }
    request_log: { disable_for_health: true }
  admin:
    host: 127.0.0.1
    port: 4445
    cors: { enabled: false }
    request_log: { disable_for_health: true }
  tls: { enabled: false, allow_termination_from: [127.0.0.1/32] }
  cookies:
    same_site_mode: Lax
    same_site_legacy_workaround: true
    domain: example.com
    secure: false
    names: { login_csrf: l, consent_csrf: c, device_csrf: d, session: s }
    paths: { session: / }
log: { level: info, format: text, leak_sensitive_values: false, redaction_text: xxx, additional_redacted_headers: [X-A] }
ttl:
  login_consent_request: 30m
  authentication_session: 720h
  access_token: 1h
  refresh_token: 720h
  id_token: 1h
  auth_code: 10m
  device_user_code: 10m
  vc_nonce: 1h
strategies:
  access_token: opaque
  scope: wildcard
  jwt: { scope_claim: both }
secrets:
  system: [this-is-the-primary-secret-of-mine-32, this-is-an-old-secret-of-mine-too-32]
  cookie: [this-is-a-cookie-secret]
  pagination: [this-is-a-pagination-secret]
urls:
  self: { issuer: 'http://127.0.0.1:4444/', public: 'http://127.0.0.1:4444/', admin: 'http://127.0.0.1:4445/' }
  login: http://login.test/login
  registration: http://login.test/registration
  consent: http://login.test/consent
  logout: http://login.test/logout
  error: http://login.test/error
  post_logout_redirect: http://login.test/
  device: { verification: http://login.test/device/verify, success: http://login.test/device/success }
  identity_provider: { url: http://127.0.0.1:4434, publicUrl: http://127.0.0.1:4433, headers: { Authorization: Bearer x } }
webfinger:
  jwks: { broadcast_keys: [hydra.openid.id-token, of-my-own] }
  oidc_discovery:
    jwks_url: https://example.com/jwks.json
    token_url: https://example.com/oauth2/token
    auth_url: https://example.com/oauth2/auth
    client_registration_url: https://example.com/oauth2/register
    supported_claims: [email, username]
    supported_scope: [email, photos]
    userinfo_url: https://example.com/userinfo
    device_authorization_url: https://example.com/device
    verifiable_credentials_url: https://example.com/vc
oidc:
  subject_identifiers: { supported_types: [public, pairwise], pairwise: { salt: some-salt-of-mine } }
  dynamic_client_registration: { enabled: true, default_scope: [openid, offline_access] }
oauth2:
  hashers: { algorithm: pbkdf2, bcrypt: { cost: 8 }, pbkdf2: { iterations: 25000 } }
  session: { encrypt_at_rest: true }
  pkce: { enforced: false, enforced_for_public_clients: true }
  grant:
    refresh_token: { rotation_grace_period: 30s, rotation_grace_reuse_count: 2 }
    jwt: { jti_optional: true, iat_optional: true, max_ttl: 720h }
  allowed_top_level_claims: [role]
  mirror_top_level_claims: true
  preserve_ext_claims: false
  exclude_not_before_claim: false
  expose_internal_errors: true
  include_legacy_error_fields: false
  client_credentials: { default_grant_allowed_scope: false }
  device_authorization:
    token_polling_interval: 1s
    user_code: { entropy_preset: low }
clients: { http: { disallow_private_ip_ranges: true, private_ip_exception_urls: ['http://127.0.0.1/**'] } }
hsm: { enabled: false }
db: { ignore_unknown_table_columns: false }
sqa: { opt_out: true }
cgroups: { v1: { auto_max_procs_enabled: false } }
profiling: cpu
dev: true
tracing: { provider: otel, service_name: hydra }
feature_flags: { legacy_allow_insecure_origins: true }
`;
