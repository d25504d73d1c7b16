import { permissionsOf } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { invalidTarget } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

/** A configured resource (`resources` of the configuration). */
export interface ResourceSettings {
  readonly identifier: string;
  /** Space-delimited: the scopes of the resource. Absent: every scope. */
  readonly scope?: string;
  /** Absent: the form that the client or the configuration demands. */
  readonly accessTokenStrategy?: 'opaque' | 'jwt';
  /** Seconds an access token lives. Absent: as long as others of the client. */
  readonly accessTokenTtl?: number;
}

/** The resource that an access token is for (RFC 8707). */
export interface Resource extends Omit<ResourceSettings, 'scope'> {
  /** Those of the scopes that the resource has. */
  scopesOf(scopes: readonly string[]): readonly string[];
}

/** A request for an access token of a user's grant. */
export interface ResourceRequest {
  /** The values of the parameter `resource`. */
  readonly named: readonly string[];
  readonly granted: readonly string[];
  readonly scopes: readonly string[];
}

export interface Resources {
  /**
   * The resources that a client names, none if resource indicators are switched off.
   *
   * @throws {OAuthError} `invalid_target` if one is no absolute URI or not registered for the client
   */
  find(identifiers: readonly string[], client: ClientRecord): readonly Resource[];
  /**
   * The resource of an access token that is issued for a user's grant: the one that the token request names, or else the
   * only one that was granted (RFC 8707, section 2.2). Undefined for a token that is for no resource.
   *
   * @throws {OAuthError} `invalid_target`
   */
  ofGrant(request: ResourceRequest, client: ClientRecord): Resource | undefined;
}

/** These scopes are about the user, not about a resource: a token for a resource gives no access to userinfo. */
const userScopes: ReadonlySet<string> = new Set(['openid', 'offline', 'offline_access']);

const severalResources = () =>
  invalidTarget('only a single resource indicator value must be requested/resolved during Access Token Request');

/** A request that names none of several resources is for userinfo, if its scopes include `openid`. */
const chosenOf = ({ named, granted, scopes }: ResourceRequest): string | undefined => {
  if (named.length > 1) throw severalResources();
  if (named.length === 0 && granted.length > 1 && !scopes.includes('openid')) throw severalResources();
  return named[0] ?? (granted.length === 1 ? granted[0] : undefined);
};

export const createResources = (settings: readonly ResourceSettings[], isEnabled: boolean): Resources => {
  const configured = new Map(
    settings.map(({ scope, ...resource }) => [
      resource.identifier,
      { ...resource, scopes: scope === undefined ? undefined : new Set(spaceDelimited(scope)) },
    ]),
  );

  const find = (identifier: string, client: ClientRecord): Resource => {
    const href = URL.parse(identifier)?.href;
    if (href === undefined) throw invalidTarget('resource indicator must be an absolute URI');
    if (href.includes('#')) throw invalidTarget('resource indicator must not contain a fragment component');
    if (!permissionsOf(client).audience.has(identifier))
      throw invalidTarget('the client is not registered for this resource');
    const { scopes, accessTokenStrategy, accessTokenTtl } = configured.get(identifier) ?? {};
    return {
      identifier,
      accessTokenStrategy,
      accessTokenTtl,
      scopesOf: (all) => all.filter((scope) => scopes?.has(scope) ?? !userScopes.has(scope)),
    };
  };

  return {
    ofGrant: (request, client) => {
      const chosen = isEnabled ? chosenOf(request) : undefined;
      if (chosen === undefined) return undefined;
      if (!request.granted.includes(chosen)) throw invalidTarget();
      return find(chosen, client);
    },
    find: (identifiers, client) => (isEnabled ? identifiers.map((identifier) => find(identifier, client)) : []),
  };
};
