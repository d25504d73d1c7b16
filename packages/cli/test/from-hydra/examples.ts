import { hydraWithEverything } from './everything.ts';

/** Configurations of Hydra as they are found in the wild, by where they are from. */
export const hydraFiles: Readonly<Record<string, string>> = {
  'the five minute quickstart': `
serve:
  cookies:
    same_site_mode: Lax
urls:
  self:
    issuer: http://127.0.0.1:4444
  consent: http://127.0.0.1:3000/consent
  login: http://127.0.0.1:3000/login
  logout: http://127.0.0.1:3000/logout
  device_verification: http://127.0.0.1:3000/device/code
  device_verification_success: http://127.0.0.1:3000/device/complete
secrets:
  system:
    - youReallyNeedToChangeThis
oidc:
  subject_identifiers:
    supported_types:
      - pairwise
      - public
    pairwise:
      salt: youReallyNeedToChangeThis
`,
  'an application with Postgres and CORS': `
serve:
  public:
    port: 4444
    cors:
      enabled: true
      allowed_origins:
        - http://localhost:5555
      allowed_methods: [POST, GET, PUT, DELETE, OPTIONS]
  admin:
    port: 4445
dsn: postgres://hydra_user:hydra_password@hydra-postgres:5432/hydra_db?sslmode=disable&max_conns=20&max_idle_conns=4
urls:
  self:
    issuer: http://localhost:4444/
  consent: http://localhost:3000/consent
  login: http://localhost:3000/login
  logout: http://localhost:3000/logout
secrets:
  system:
    - nofreefoodinfreetown
oidc:
  subject_identifiers:
    supported_types: [pairwise, public]
    pairwise:
      salt: nofreefoodinfreetown
`,
  'a config map of Kubernetes': `
version: v1.11.7
log:
  format: json
  level: debug
  leak_sensitive_values: true
serve:
  cookies:
    same_site_mode: Lax
  tls:
    enabled: false
    cert: { path: /etc/hydra/tls/tls.crt }
    key: { path: /etc/hydra/tls/tls.key }
    allow_termination_from: [10.0.0.0/8, 127.0.0.0/8]
  public:
    access_log: { disable_for_health: true }
    cors: { enabled: true, allow_credentials: true, max_age: 10 }
dsn: memory
urls:
  self:
    issuer: https://login.example.com/
    public: https://login.example.com/
  login: https://login.example.com/login
  consent: https://login.example.com/auth/consent
  logout: https://login.example.com/logout
  error: https://login.example.com/error
ttl:
  access_token: 1h
  refresh_token: -1
  id_token: 1h30m
  auth_code: 90s
oauth2:
  expose_internal_errors: true
  hashers:
    bcrypt: { cost: 12 }
secrets:
  cookie: [a-cookie-secret-of-some-length]
  system: [a-system-secret-of-at-least-thirty-two]
webfinger:
  oidc_discovery:
    supported_scope: [email, profile]
tracing:
  provider: jaeger
  providers:
    jaeger: { local_agent_address: jaeger:6831 }
`,
  'a configuration with everything': hydraWithEverything,
};
