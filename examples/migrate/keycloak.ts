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
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Paths, such as `/staff/leads`. */
  readonly groups?: readonly string[];
  readonly realmRoles?: readonly string[];
  /** By the client whose roles they are. */
  readonly clientRoles?: Readonly<Record<string, readonly string[]>>;
  readonly federatedIdentities?: readonly { readonly identityProvider: string }[];
  readonly requiredActions?: readonly string[];
}

/** A group gives its roles to its members, and to those of the groups below it. */
interface KeycloakGroup {
  readonly path: string;
  readonly realmRoles?: readonly string[];
  readonly clientRoles?: Readonly<Record<string, readonly string[]>>;
  readonly subGroups?: readonly KeycloakGroup[];
}

interface KeycloakRole {
  readonly name: string;
  /** The roles that come with this role. */
  readonly composites?: {
    readonly realm?: readonly string[];
    readonly client?: Readonly<Record<string, readonly string[]>>;
  };
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
  readonly groups?: readonly KeycloakGroup[];
  readonly roles?: {
    readonly realm?: readonly KeycloakRole[];
    readonly client?: Readonly<Record<string, readonly KeycloakRole[]>>;
  };
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

/** A role of the realm, or of a client. */
interface Role {
  readonly client?: string;
  readonly name: string;
}

const rolesIn = (
  realm: readonly string[] = [],
  clients: Readonly<Record<string, readonly string[]>> = {},
): readonly Role[] => [
  ...realm.map((name) => ({ name })),
  ...Object.entries(clients).flatMap(([client, names]) => names.map((name) => ({ client, name }))),
];

/** Roles that Keycloak gives to every user for itself. */
const isOwnRole = ({ client, name }: Role): boolean =>
  client === undefined ? /^(?:default-roles-.*|offline_access|uma_authorization)$/.test(name) : ownClients.has(client);

/** All roles of a user: the user's own, those of the groups and of the groups above them, and those that come with a role. */
const createRolesOf = ({ groups = [], roles = {} }: Realm) => {
  const byPath = new Map<string, KeycloakGroup>();
  const add = (group: KeycloakGroup): void => {
    byPath.set(group.path, group);
    group.subGroups?.forEach(add);
  };
  groups.forEach(add);

  const definitionOf = ({ client, name }: Role): KeycloakRole | undefined =>
    (client === undefined ? roles.realm : roles.client?.[client])?.find((role) => role.name === name);

  const inGroup = (path: string): readonly Role[] => {
    const { realmRoles, clientRoles } = byPath.get(path) ?? {};
    const above = path.slice(0, path.lastIndexOf('/'));
    return [...rolesIn(realmRoles, clientRoles), ...(above === '' ? [] : inGroup(above))];
  };

  return ({ realmRoles, clientRoles, groups: paths = [] }: KeycloakUser): readonly Role[] => {
    const found = new Map<string, Role>();
    const collect = (role: Role): void => {
      const key = JSON.stringify([role.client, role.name]);
      if (found.has(key)) return;
      found.set(key, role);
      const { realm, client } = definitionOf(role)?.composites ?? {};
      rolesIn(realm, client).forEach(collect);
    };
    [...rolesIn(realmRoles, clientRoles), ...paths.flatMap(inGroup)].forEach(collect);
    return [...found.values()].filter((role) => !isOwnRole(role));
  };
};

const orNone = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value);

/** The roles of clients, as `resource_access` in tokens of Keycloak has them. */
const resourceAccess = (roles: readonly Role[]) => {
  const byClient: Record<string, { roles: string[] }> = {};
  for (const { client, name } of roles) {
    if (client === undefined) continue;
    byClient[client] ??= { roles: [] };
    byClient[client].roles.push(name);
  }
  return orNone(byClient);
};

/** Claims that Carnet sets itself. */
const reserved = new Set(['sub', 'email', 'email_verified', 'preferred_username', 'acr', 'amr', 'sid']);

/** Attributes of users are claims of the same name; an attribute with one value is a text. */
const claimsOfAttributes = (
  attributes: Readonly<Record<string, readonly string[]>>,
  tell: (problem: string) => void,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, values]) => {
      if (reserved.has(name)) tell(`the attribute ${name}`);
      return reserved.has(name) ? [] : [[name, values.length === 1 ? values[0] : values]];
    }),
  );

type RolesOf = ReturnType<typeof createRolesOf>;

const convertUser = (user: KeycloakUser, rolesOf: RolesOf, report: (problem: string) => void) => {
  const { id, username, email, emailVerified, enabled, firstName, lastName, credentials = [] } = user;
  const { attributes = {}, groups = [], federatedIdentities = [], requiredActions = [] } = user;
  const tell = (problem: string): void => report(`user ${username}: ${problem}`);
  const password = credentials.find(({ type }) => type === 'password');
  const hash = password && hashOf(password);
  if (password !== undefined && hash === undefined) tell('the format of the password hash');
  for (const { type } of credentials) if (type !== 'password') tell(`the second factor "${type}"`);
  for (const { identityProvider } of federatedIdentities) tell(`sign-in by ${identityProvider}`);
  for (const action of requiredActions) tell(`the required action ${action}`);
  const roles = rolesOf(user);
  const realmRoles = roles.filter(({ client }) => client === undefined).map(({ name }) => name);
  const name = [firstName, lastName].filter((part) => part).join(' ');
  return {
    id,
    username,
    email,
    email_verified: emailVerified,
    password_hash: hash,
    state: enabled === false ? 'disabled' : 'active',
    claims: {
      ...claimsOfAttributes(attributes, tell),
      name: name || undefined,
      given_name: firstName,
      family_name: lastName,
      groups: groups.length > 0 ? groups : undefined,
      roles: realmRoles.length > 0 ? realmRoles : undefined,
      resource_access: resourceAccess(roles),
    },
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

const convertClient = (client: KeycloakClient, ownScopes: readonly string[], report: (problem: string) => void) => {
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
    scope: [...new Set(['openid', 'offline_access', ...scopes, ...ownScopes])].join(' '),
    skip_consent: client.consentRequired !== true,
    backchannel_logout_uri: attributes['backchannel.logout.url'] || undefined,
  };
};

const reasonToSkip = ({ clientId, protocol, enabled, bearerOnly }: KeycloakClient): string | undefined => {
  if (protocol === 'saml') return `client ${clientId}: SAML`;
  if (bearerOnly) return `client ${clientId}: bearer-only, which needs no registration`;
  return enabled === false ? `client ${clientId}: disabled` : undefined;
};

export const convertRealm = (realm: Realm): Converted => {
  const { clients = [], users = [] } = realm;
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(problem);
  const own = clients.filter(({ clientId }) => !ownClients.has(clientId));
  const kept = own.filter((client) => {
    const reason = reasonToSkip(client);
    if (reason !== undefined) report(reason);
    return reason === undefined;
  });
  const rolesOf = createRolesOf(realm);
  const losses: string[] = [];
  const people = users
    .filter((user) => !user.serviceAccountClientId)
    .map((user) => convertUser(user, rolesOf, (problem) => void losses.push(problem)));
  // Clients may request the scopes that bring these claims.
  const ownScopes = (['groups', 'roles'] as const).filter((scope) => people.some(({ claims }) => claims[scope]));
  const registrations = kept.map((client) => convertClient(client, ownScopes, report));
  return { clients: registrations, users: people, problems: [...problems, ...losses] };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const realm = JSON.parse(readFileSync(process.argv[2] ?? 'realm.json', 'utf8')) as Realm;
  const { clients, users, problems } = convertRealm(realm);
  writeFileSync('clients.json', JSON.stringify(clients, null, 2), { mode: 0o600 });
  writeFileSync('users.jsonl', users.map((user) => `${JSON.stringify(user)}\n`).join(''), { mode: 0o600 });
  process.stdout.write(`${clients.length} clients, ${users.length} users\n`);
  for (const problem of problems) process.stderr.write(`left out: ${problem}\n`);
}
