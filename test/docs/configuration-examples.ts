import { stringify } from 'yaml';
import type { Setting } from '../../packages/cli/src/config/described-settings.ts';

const hook = { url: 'https://api.example.com/token-hook' };
const apiKey = 'a-key-of-the-hook';
const prometheus = 'http://prometheus.internal:9090';

/** The key of RFC 8037, appendix A.1. */
const exampleKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  alg: 'EdDSA',
  kid: 'key-1',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
};

/**
 * Values for settings whose type and default suggest none. `test/snippets` loads each example as `carnet serve` would.
 */
const values: Readonly<Record<string, unknown>> = {
  issuer: 'https://login.example.com',
  'public.host': '127.0.0.1',
  'public.port': 8080,
  'admin.port': 8081,
  'admin.token': 'e3b0c44298fc1c149afbf4c8996fb924',
  'admin.tokens': [{ name: 'prometheus', rights: ['metrics'], value: '5f0c44298fc1c149afbf4c8996fb92427' }],
  'admin.allowedHosts': ['carnet.internal'],
  'metrics.host': '10.0.0.5',
  'metrics.port': 9465,
  'http.trustedProxies': ['10.0.0.0/8'],
  'http.allowedHosts': ['login.internal'],
  'outbound.allow': ['hooks.internal:8080', '10.1.0.0/16'],
  'storage.migrate': true,
  'accounts.migrate': true,
  ...Object.fromEntries(
    ['clients', 'keys', 'tokens', 'replays', 'deliveries', 'events'].map((group) => [
      `storage.${group}`,
      'postgres://carnet@db.internal/carnet',
    ]),
  ),
  ...Object.fromEntries(
    ['clientCredentials', 'sessions', 'consents', 'flows'].map((group) => [
      `storage.${group}`,
      'redis://cache.internal',
    ]),
  ),
  'storage.default': 'postgres://carnet@db.internal/carnet',
  'secrets.system': ['a-secret-of-32-random-characters'],
  'urls.login': 'https://login.example.com/login',
  'urls.registration': 'https://login.example.com/sign-up',
  'urls.consent': 'https://login.example.com/consent',
  'urls.logout': 'https://login.example.com/logout',
  'urls.error': 'https://login.example.com/error',
  'urls.device.verification': 'https://login.example.com/device',
  'urls.device.success': 'https://login.example.com/device/success',
  'urls.backchannelAuthentication': 'https://login.example.com/backchannel',
  'urls.postLogoutRedirect': 'https://www.example.com',
  'ttl.accessToken': '10m',
  'ttl.authCode': '1m',
  'tokens.allowedTopLevelClaims': ['groups'],
  'oidc.subjectIdentifiers.pairwise.salt': 'a-salt-that-never-changes',
  'oidc.supportedAcrValues': ['urn:example:mfa'],
  'oidc.supportedClaims': ['groups'],
  'oidc.supportedScopes': ['openid', 'email', 'groups'],
  'oidc.dynamicClientRegistration.defaultScope': ['openid', 'email'],
  'oidc.dynamicClientRegistration.defaultAudience': ['https://api.example.com'],
  'oidc.dynamicClientRegistration.allowedScopes': ['openid', 'email', 'offline_access'],
  'oidc.dynamicClientRegistration.allowedGrantTypes': ['authorization_code', 'refresh_token'],
  'oidc.dynamicClientRegistration.allowedRedirectHosts': ['*.example.com'],
  'logout.backchannelRetries': [1, 10, 60],
  resources: [{ identifier: 'https://api.example.com', scope: 'orders.read', accessTokenStrategy: 'jwt' }],
  'hooks.token.url': hook.url,
  'hooks.refreshToken.url': hook.url,
  'features.clientIdMetadataDocument.allowedHosts': ['*.example.com'],
  'features.device.userCode.characters': '0123456789',
  'features.rar.types': { payment: { required: ['amount', 'to'], optional: ['account'] } },
  'features.mtls.baseUrl': 'https://mtls.example.com',
  'keys.algorithms': ['ES256'],
  clients: [
    { client_id: 'website', redirect_uris: ['https://www.example.com/callback'], token_endpoint_auth_method: 'none' },
  ],
  'clientSecrets.bcryptCost': 12,
  'clientCache.seconds': '1s',
  'accounts.database': 'postgres://carnet@db.internal/accounts',
  'accounts.directories': [{ name: 'users', kind: 'sql' }],
  'accounts.providers': [
    {
      name: 'google',
      kind: 'oidc',
      preset: 'google',
      clientId: '123.apps.googleusercontent.com',
      clientSecret: 'secret',
    },
  ],
  'accounts.organizations': [
    { name: 'acme', displayName: 'Acme', domains: ['acme.example'], members: { groups: ['acme'] } },
  ],
  issuers: {
    acme: { issuer: 'https://acme.example.com' },
    shop: { issuer: 'https://login.example.com/shop', ttl: { idToken: '10m' } },
  },
  'limits.requestsPerSecond': 200,
  'limits.burst': 500,
  'limits.clients': 1_000,
  'events.retention': '90d',
  'events.types': ['user.*', 'session.*', 'credential.*'],
  'events.webhooks': [
    {
      name: 'crm',
      url: 'https://crm.example.com/hooks/carnet',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      types: ['user.*'],
    },
  ],
  'console.access.claim': 'roles',
  'console.access.directories': ['staff'],
  'console.brand.name': 'Acme',
  'console.brand.logo': 'https://acme.example/logo.svg',
  'console.brand.color': '#14614c',
  'console.prometheus.url': prometheus,
  'console.prometheus.labels': { job: 'carnet' },
  'accounts.scopes': { groups: ['groups'], staff: ['department', 'manager'] },
  'accounts.secondFactors.realms': { 'example.org': 'required' },
  'accounts.secondFactors.clients': { wiki: 'optional', payroll: 'phishing_resistant' },
  'accounts.secondFactors.kinds': ['passkey', 'recovery_code'],
  'accounts.passkeys.rpName': 'Example',
  'accounts.passkeys.origins': ['https://login.example.com'],
  'accounts.mail.url': 'smtps://carnet@mail.example.com',
  'accounts.mail.from': 'Example <accounts@example.com>',
  'accounts.mail.templates': '/etc/carnet/mail',
  'accounts.passwords.check': 'https://api.pwnedpasswords.com/range/',
  'accounts.invitations.page': 'https://login.example.com/invitation',
  'accounts.attempts.perLogin': 5,
  'accounts.validateCheck.token': 'e3b0c44298fc1c149afbf4c8996fb924',
  'accounts.validateCheck.allow': ['10.1.0.0/16'],
  'accounts.scim.token': `sha256:${'3f'.repeat(32)}`,
  'accounts.scim.previousToken': `sha256:${'9c'.repeat(32)}`,
  'accounts.scim.tokens': [
    { name: 'entra', value: `sha256:${'3f'.repeat(32)}` },
    { name: 'okta', value: `sha256:${'9c'.repeat(32)}` },
  ],
};

/** Settings that are accepted only beside others: the whole file. */
const files: Readonly<Record<string, unknown>> = {
  'console.enabled': { console: { enabled: true, access: { operator: ['platform'] } } },
  'console.url': {
    console: { enabled: true, url: 'https://admin.example.com/console', access: { operator: ['platform'] } },
  },
  'console.prometheus.token': { console: { prometheus: { url: prometheus, token: 'a-token-of-prometheus' } } },
  'console.prometheus.username': {
    console: { prometheus: { url: prometheus, username: 'console', password: 'a-password' } },
  },
  'console.prometheus.password': {
    console: { prometheus: { url: prometheus, username: 'console', password: 'a-password' } },
  },
  'console.access.viewer': { console: { enabled: true, access: { viewer: ['support'] } } },
  'console.access.operator': { console: { enabled: true, access: { operator: ['platform'] } } },
  'admin.host': { admin: { host: '0.0.0.0', token: 'e3b0c44298fc1c149afbf4c8996fb924' } },
  'http.clientCertificateHeader': {
    http: { trustedProxies: ['10.0.0.0/8'], clientCertificateHeader: 'Client-Cert' },
  },
  'http.clientVerifiedHeader': {
    http: {
      trustedProxies: ['10.0.0.0/8'],
      clientCertificateHeader: 'X-Client-Cert',
      clientVerifiedHeader: 'X-Client-Verify',
    },
  },
  workers: { workers: 2, storage: { default: 'sqlite:carnet.db' } },
  'oidc.subjectIdentifiers.supportedTypes': {
    oidc: {
      subjectIdentifiers: {
        supportedTypes: ['public', 'pairwise'],
        pairwise: { salt: 'a-salt-that-never-changes' },
      },
    },
  },
  'oidc.profile': {
    oidc: { profile: 'fapi1-advanced' },
    http: { trustedProxies: ['10.0.0.0/8'], clientCertificateHeader: 'X-Client-Cert' },
    features: { mtls: { enabled: true } },
    keys: { source: 'store', idTokenAlg: 'ES256' },
  },
  'hooks.token.auth.in': { hooks: { token: { ...hook, auth: { in: 'cookie', name: 'key', value: apiKey } } } },
  'hooks.token.auth.name': { hooks: { token: { ...hook, auth: { name: 'X-Api-Key', value: apiKey } } } },
  'hooks.token.auth.value': { hooks: { token: { ...hook, auth: { value: `Bearer ${apiKey}` } } } },
  'hooks.refreshToken.auth.in': {
    hooks: { refreshToken: { ...hook, auth: { in: 'cookie', name: 'key', value: apiKey } } },
  },
  'hooks.refreshToken.auth.name': {
    hooks: { refreshToken: { ...hook, auth: { name: 'X-Api-Key', value: apiKey } } },
  },
  'hooks.refreshToken.auth.value': { hooks: { refreshToken: { ...hook, auth: { value: `Bearer ${apiKey}` } } } },
  'features.ciba.enabled': {
    features: { ciba: { enabled: true } },
    urls: { backchannelAuthentication: 'https://login.example.com/backchannel' },
  },
  'features.fapi.enabled': {
    features: { fapi: { enabled: true } },
    ttl: { authCode: '1m' },
    keys: { source: 'store', idTokenAlg: 'ES256' },
  },
  'keys.signer': { keys: { source: 'external', signer: 'awskms:alias/carnet' } },
  'keys.sealedBy': { keys: { source: 'store', sealedBy: 'awskms:alias/carnet-keys' } },
  'keys.file': { keys: { source: 'file', file: '/etc/carnet/jwks.json' } },
  'keys.jwks': {
    keys: {
      source: 'file',
      idTokenAlg: 'EdDSA',
      jwks: { keys: [exampleKey] },
    },
  },
  'accounts.passkeys.rpId': {
    urls: { login: 'https://login.example.com/login' },
    accounts: { passkeys: { rpId: 'example.com' } },
  },
  'accounts.scim.enabled': {
    accounts: { scim: { enabled: true, token: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c' } },
  },
  'accounts.validateCheck.enabled': { accounts: { validateCheck: { enabled: true, allow: ['10.1.0.0/16'] } } },
};

/** Examples that cannot be loaded here, each with the reason. */
const notLoaded: Readonly<Record<string, string>> = {
  'keys.file': 'there is no such file',
  'accounts.mail.templates': 'there is no such folder',
};

const seconds = { d: 86_400, h: 3600, m: 60, s: 1 };

/** `3600` as `1h`: the largest unit that needs no fraction. */
const durationOf = (value: number): string => {
  const [unit, size] = Object.entries(seconds).find(([, length]) => value % length === 0) ?? ['s', 1];
  return `${value / size}${unit}`;
};

/** A value other than the default: of the few accepted ones, the other boolean, or twice the number. */
const suggested = ({ key, default: text, choices }: Setting): unknown => {
  if (choices.length > 0) return choices.find((choice) => choice !== text);
  if (text === 'true' || text === 'false') return text === 'false';
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const value = 2 * Number(text);
  return /(?:^ttl\.|Seconds$|^keys\.(?:announced|active|retired)$|\.cacheM(?:in|ax)$|^clientCache\.seconds$)/.test(key)
    ? durationOf(value)
    : value;
};

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value);

/** The example of a setting, as a block of Markdown. @throws Error if there is none: add one to the tables above */
export const exampleOf = (setting: Setting): string => {
  const value = values[setting.key] ?? suggested(setting);
  const file = files[setting.key] ?? (value === undefined ? undefined : nested(setting.key.split('.'), value));
  if (file === undefined) {
    throw new Error(`${setting.key} has no example: add one to test/docs/configuration-examples.ts`);
  }
  const reason = notLoaded[setting.key];
  const marker = reason === undefined ? '' : `<!-- snippet: not run: ${reason} -->\n`;
  return `${marker}\`\`\`yaml\n${stringify(file, { lineWidth: 110 })}\`\`\``;
};
