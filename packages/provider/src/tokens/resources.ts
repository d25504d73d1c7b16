import { permissionsOf } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { invalidTarget } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

/** A configured resource (`resources` of the configuration). */
export interface ResourceSettings {
  readonly identifier: string;
  /** Space-delimited: the scopes of the resource. Absent: every scope. */
  readonly scope?: string;
  /** Seconds. */
  readonly accessTokenTtl?: number;
}

/** The resource that an access token is for (RFC 8707). */
export interface Resource {
  readonly identifier: string;
  /** Seconds an access token lives. Absent: as long as others of the client. */
  readonly accessTokenTtl?: number;
  /** Those of the scopes that the resource has. */
  scopesOf(scopes: readonly string[]): readonly string[];
}

export interface Resources {
  /**
   * The resources that a client names, none if resource indicators are switched off.
   *
   * @throws {OAuthError} `invalid_target` if one is no absolute URI or not registered for the client
   */
  find(identifiers: readonly string[], client: ClientRecord): readonly Resource[];
}

/** These scopes are about the user, not about a resource: a token for a resource gives no access to userinfo. */
const userScopes: ReadonlySet<string> = new Set(['openid', 'offline', 'offline_access']);

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
    const { accessTokenTtl, scopes } = configured.get(identifier) ?? {};
    return {
      identifier,
      accessTokenTtl,
      scopesOf: (all) => all.filter((scope) => scopes?.has(scope) ?? !userScopes.has(scope)),
    };
  };

  return {
    find: (identifiers, client) => (isEnabled ? identifiers.map((identifier) => find(identifier, client)) : []),
  };
};
