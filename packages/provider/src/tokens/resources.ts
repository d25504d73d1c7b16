import { permissionsOf } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { invalidTarget } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { EffectiveGrant } from './grant-details.ts';

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
export interface TargetRequest {
  /** The values of the parameter `resource`. */
  readonly named: readonly string[];
  /** The granted resources. */
  readonly granted: readonly string[] | undefined;
  readonly scopes: readonly string[];
  readonly effective: EffectiveGrant;
}

/** The scopes and the audience of an access token. */
export interface AccessTarget {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  /** Undefined: the token is for no resource, and gives access to userinfo if its scopes include `openid`. */
  readonly resource: Resource | undefined;
}

export interface Resources {
  /**
   * The resources that a client names, none if resource indicators are switched off.
   *
   * @throws {OAuthError} `invalid_target` if one is no absolute URI or not registered for the client
   */
  find(identifiers: readonly string[], client: ClientRecord): readonly Resource[];
  /**
   * The part of the requested scopes that the client may have today, for the resource that the token request names, or
   * else for the only one that was granted (RFC 8707, section 2.2).
   *
   * @throws {OAuthError} `invalid_target`
   */
  targetOf(request: TargetRequest, client: ClientRecord): AccessTarget;
}

/** These scopes are about the user, not about a resource: a token for a resource gives no access to userinfo. */
const userScopes: ReadonlySet<string> = new Set(['openid', 'offline', 'offline_access']);

const severalResources = () =>
  invalidTarget('only a single resource indicator value must be requested/resolved during Access Token Request');

/** A request that names none of several resources is for userinfo, if its scopes include `openid`. */
const chosenOf = ({ named, granted = [], scopes }: TargetRequest): string | undefined => {
  if (named.length > 1) throw severalResources();
  if (named.length === 0 && granted.length > 1 && !scopes.includes('openid')) throw severalResources();
  return named[0] ?? (granted.length === 1 ? granted[0] : undefined);
};

const commonScopes = (scope: string | undefined, requested: readonly string[]): readonly string[] =>
  spaceDelimited(scope).filter((one) => requested.includes(one));

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
    find: (identifiers, client) => (isEnabled ? identifiers.map((identifier) => find(identifier, client)) : []),
    targetOf(request, client) {
      const { granted, scopes, effective } = request;
      const chosen = isEnabled ? chosenOf(request) : undefined;
      if (chosen === undefined)
        return { scopes: commonScopes(effective.ownScope, scopes), audience: effective.audience, resource: undefined };
      if (!granted?.includes(chosen)) throw invalidTarget();
      const resource = find(chosen, client);
      const held = commonScopes(effective.resources.get(chosen), scopes);
      return { scopes: resource.scopesOf(held), audience: [chosen], resource };
    },
  };
};
