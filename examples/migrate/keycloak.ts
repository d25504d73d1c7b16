// Converts a realm export of Keycloak (`kc.sh export --dir export --realm shop --users realm_file`):
//
//   node keycloak.ts export/shop-realm.json
//
// writes clients.json for `carnet import client` and users.jsonl for `carnet users import`, and reports what it leaves out.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Credential {
  readonly type: string;
  readonly secretData?: string;
  readonly credentialData?: string;
}

interface KeycloakUser {
  readonly id?: string;
  readonly username: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly enabled?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly serviceAccountClientId?: string;
  readonly credentials?: readonly Credential[];
}

interface KeycloakClient {
  readonly clientId: string;
  readonly name?: string;
  readonly secret?: string;
  readonly protocol?: string;
  readonly enabled?: boolean;
  readonly bearerOnly?: boolean;
  readonly publicClient?: boolean;
  readonly consentRequired?: boolean;
  readonly standardFlowEnabled?: boolean;
  readonly serviceAccountsEnabled?: boolean;
  readonly redirectUris?: readonly string[];
  readonly webOrigins?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly defaultClientScopes?: readonly string[];
  readonly optionalClientScopes?: readonly string[];
}

export interface Realm {
  readonly clients?: readonly KeycloakClient[];
  readonly users?: readonly KeycloakUser[];
}

export interface Converted {
  readonly clients: readonly Readonly<Record<string, unknown>>[];
  readonly users: readonly Readonly<Record<string, unknown>>[];
  /** One line for each part that is left out. */
  readonly problems: readonly string[];
}

const unpadded = (base64: string): string => base64.replace(/=+$/, '');

/** The hash of a password credential in the format of `carnet users import`; undefined for a hash of another provider. */
const hashOf = ({ secretData = '{}', credentialData = '{}' }: Credential): string | undefined => {
  const { value = '', salt = '' } = JSON.parse(secretData) as { value?: string; salt?: string };
  const {
    algorithm,
    hashIterations,
    additionalParameters = {},
  } = JSON.parse(credentialData) as {
    algorithm?: string;
    hashIterations?: number;
    additionalParameters?: Readonly<Record<string, readonly string[]>>;
  };
  const tail = `${unpadded(salt)}$${unpadded(value)}`;
  if (algorithm === 'pbkdf2') return `$pbkdf2-sha1$i=${hashIterations}$${tail}`;
  if (algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512')
    return `$${algorithm}$i=${hashIterations}$${tail}`;
  if (algorithm !== 'argon2') return undefined;
  const { type, version, memory, parallelism } = additionalParameters;
  return `$argon2${type?.[0]}$v=${version?.[0] === '1.0' ? 16 : 19}$m=${memory?.[0]},t=${hashIterations},p=${parallelism?.[0]}$${tail}`;
};

const convertUser = (user: KeycloakUser, report: (problem: string) => void) => {
  const { id, username, email, emailVerified, enabled, firstName, lastName, credentials = [] } = user;
  const password = credentials.find(({ type }) => type === 'password');
  const hash = password && hashOf(password);
  if (password !== undefined && hash === undefined) report(`user ${username}: the format of the password hash`);
  for (const { type } of credentials) if (type !== 'password') report(`user ${username}: the second factor "${type}"`);
  const name = [firstName, lastName].filter((part) => part).join(' ');
  return {
    id,
    username,
    email,
    email_verified: emailVerified,
    password_hash: hash,
    state: enabled === false ? 'disabled' : 'active',
    claims: { name: name || undefined, given_name: firstName, family_name: lastName },
  };
};

/** Keycloak's own clients, in every realm. */
const ownClients = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]);

const exact = (uris: readonly string[], what: string, report: (problem: string) => void): readonly string[] =>
  uris.filter((uri) => {
    const isExact = /^[a-z][a-z\d+.-]*:/i.test(uri) && !uri.includes('*');
    if (!isExact) report(`${what} ${uri}: register the exact URI`);
    return isExact;
  });

/** `+` in Keycloak means the origins of the redirect URIs. */
const originsOf = (webOrigins: readonly string[], redirectUris: readonly string[]): readonly string[] => [
  ...new Set(
    webOrigins
      .flatMap((origin) => (origin === '+' ? redirectUris.map((uri) => URL.parse(uri)?.origin ?? '') : [origin]))
      .filter((origin) => /^https?:\/\//.test(origin)),
  ),
];

const convertClient = (client: KeycloakClient, report: (problem: string) => void) => {
  const { clientId, name, attributes = {}, redirectUris = [], webOrigins = [] } = client;
  const tell = (problem: string): void => report(`client ${clientId}: ${problem}`);
  const redirects = exact(redirectUris, 'redirect URI', tell);
  const logouts = (attributes['post.logout.redirect.uris'] ?? '').split('##').filter((uri) => uri && uri !== '-');
  const logoutUris = logouts.flatMap((uri) => (uri === '+' ? redirects : exact([uri], 'logout URI', tell)));
  const scopes = [...(client.defaultClientScopes ?? []), ...(client.optionalClientScopes ?? [])];
  if (client.secret?.startsWith('***')) tell('the secret, which this export masks');
  return {
    client_id: clientId,
    client_name: name,
    client_secret: client.publicClient || client.secret?.startsWith('***') ? undefined : client.secret,
    token_endpoint_auth_method: client.publicClient ? 'none' : undefined,
    grant_types: [
      ...(client.standardFlowEnabled === false ? [] : ['authorization_code', 'refresh_token']),
      ...(client.serviceAccountsEnabled ? ['client_credentials'] : []),
      ...(attributes['oauth2.device.authorization.grant.enabled'] === 'true'
        ? ['urn:ietf:params:oauth:grant-type:device_code']
        : []),
    ],
    redirect_uris: redirects,
    post_logout_redirect_uris: [...new Set(logoutUris)],
    allowed_cors_origins: originsOf(webOrigins, redirects),
    scope: [...new Set(['openid', 'offline_access', ...scopes])].join(' '),
    skip_consent: client.consentRequired !== true,
    backchannel_logout_uri: attributes['backchannel.logout.url'] || undefined,
  };
};

const reasonToSkip = ({ clientId, protocol, enabled, bearerOnly }: KeycloakClient): string | undefined => {
  if (protocol === 'saml') return `client ${clientId}: SAML`;
  if (bearerOnly) return `client ${clientId}: bearer-only, which needs no registration`;
  return enabled === false ? `client ${clientId}: disabled` : undefined;
};

export const convertRealm = ({ clients = [], users = [] }: Realm): Converted => {
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(problem);
  const own = clients.filter(({ clientId }) => !ownClients.has(clientId));
  const kept = own.filter((client) => {
    const reason = reasonToSkip(client);
    if (reason !== undefined) report(reason);
    return reason === undefined;
  });
  return {
    clients: kept.map((client) => convertClient(client, report)),
    users: users.filter((user) => !user.serviceAccountClientId).map((user) => convertUser(user, report)),
    problems,
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const realm = JSON.parse(readFileSync(process.argv[2] ?? 'realm.json', 'utf8')) as Realm;
  const { clients, users, problems } = convertRealm(realm);
  writeFileSync('clients.json', JSON.stringify(clients, null, 2), { mode: 0o600 });
  writeFileSync('users.jsonl', users.map((user) => `${JSON.stringify(user)}\n`).join(''), { mode: 0o600 });
  process.stdout.write(`${clients.length} clients, ${users.length} users\n`);
  for (const problem of problems) process.stderr.write(`left out: ${problem}\n`);
}
