import { invalidRequest, invalidScope } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type ClientRecord, derivedOnce } from './client-record.ts';
import type { ScopeMatch } from './scope-match.ts';

/** The scopes and resources that a client may request. */
export interface ClientPermissions {
  /** Without a registered scope: `openid`. */
  readonly scopes: ReadonlySet<string>;
  /** The registered audience, and the resources that are open to every client. */
  readonly audience: ReadonlySet<string>;
  /** The scopes of the resources that are open to every client, by identifier. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

type Client = Pick<ClientRecord, 'metadata' | 'open'>;

/** Derived once for as long as the record is the same object. */
export const permissionsOf = derivedOnce(
  ({ metadata, open = [] }: Client): ClientPermissions => ({
    scopes: new Set(spaceDelimited(metadata.scope || 'openid')),
    audience: new Set([...(metadata.audience ?? []), ...open.map(({ identifier }) => identifier)]),
    open: new Map(open.map(({ identifier, scopes }) => [identifier, scopes])),
  }),
);

/** The scopes of those `resources` that are open to every client. */
export const openScopes = (client: Client, resources: readonly string[]): readonly string[] => {
  const { open } = permissionsOf(client);
  return open.size === 0 ? [] : resources.flatMap((one) => open.get(one) ?? []);
};

/**
 * The scopes that a client may have together with these resources. An open resource brings its scopes only if it is named: a
 * token for another resource never has them.
 */
export const scopesWith = (client: Client, resources: readonly string[]): ReadonlySet<string> => {
  const { scopes } = permissionsOf(client);
  const more = openScopes(client, resources);
  return more.length === 0 ? scopes : new Set([...scopes, ...more]);
};

/**
 * @param resources open resources, which bring their scopes
 * @throws {OAuthError} `invalid_scope` for the first scope that neither the client has registered nor a resource brings
 */
export const assertScopes = (
  client: Client,
  scopes: readonly string[],
  matches: ScopeMatch,
  resources: readonly string[] = [],
): void => {
  const held = scopesWith(client, resources);
  const scope = scopes.find((one) => !matches(held, one));
  if (scope !== undefined) throw invalidScope('the client is not registered for this scope', scope);
};

export const isRegisteredAudience = (client: Client, audience: readonly string[]): boolean => {
  const registered = permissionsOf(client);
  return audience.every((item) => registered.audience.has(item));
};

/** @throws {OAuthError} `invalid_request` for an audience that the client has not registered */
export const assertAudience = (client: Client, audience: readonly string[]): void => {
  if (!isRegisteredAudience(client, audience)) throw invalidRequest('the client is not registered for this audience');
};

/** A client as far as it may use grant types. */
interface Granted {
  grantTypeAllowed(grantType: string): boolean;
}

/** Whether a code for these scopes brings a refresh token (OpenID Connect Core, section 11; `offline`: Hydra's name). */
export const bringsRefreshToken = (client: Granted, scopes: readonly string[]): boolean =>
  client.grantTypeAllowed('refresh_token') && (scopes.includes('offline_access') || scopes.includes('offline'));

/**
 * The scopes that a response of this type can bring: only a code brings a refresh token (OpenID Connect Core, section
 * 11). A request without a response type has no redirect: its client polls for the tokens.
 */
export const attainableScope = (
  client: Granted,
  scopes: readonly string[],
  responseType: string | undefined,
): string => {
  const isRefreshable = responseType === undefined || spaceDelimited(responseType).includes('code');
  const canRefresh = client.grantTypeAllowed('refresh_token') && isRefreshable;
  return scopes.filter((scope) => canRefresh || scope !== 'offline_access').join(' ');
};
