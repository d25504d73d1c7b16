import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { permissionsOf } from '../../clients/client-permissions.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { userScopes } from '../../tokens/resources.ts';
import { recordOf } from '../clients.ts';
import type { ResourceConfig } from '../config.ts';
import type { Feature } from './feature.ts';

/** The scopes of a resource for which none are configured: all that the request can lead to. */
const everyScope = (ctx: KoaContextWithOIDC, client: object): string => {
  const all = [...permissionsOf(recordOf(client)).scopes, ...spaceDelimited(ctx.oidc.params?.scope)];
  return [...new Set(all)].filter((scope) => !userScopes.has(scope)).join(' ');
};

/**
 * oidc-provider requires a resource for `authorization_details`; Carnet does not (`rar.ts`). This list satisfies the
 * check: it is not empty, but iterating it yields no resource.
 */
const namesNone = (): readonly string[] => Object.defineProperty([''], Symbol.iterator, { value: () => [].values() });

const serverInfo = (resources: ReadonlyMap<string, ResourceConfig>) => {
  return async (ctx: KoaContextWithOIDC, identifier: string, client: object) => {
    if (!permissionsOf(recordOf(client)).audience.has(identifier))
      throw new errors.InvalidTarget('the client is not registered for this resource');
    const { scope, accessTokenTtl } = resources.get(identifier) ?? {};
    return {
      scope: scope ?? everyScope(ctx, client),
      audience: identifier,
      accessTokenFormat: 'opaque' as const,
      accessTokenTTL: accessTokenTtl,
    };
  };
};

/**
 * Access tokens for one resource each (RFC 8707). A client may have those that its registered `audience` names; the
 * consent app grants them as it grants an audience.
 */
export const resourceIndicators: Feature = {
  name: 'resourceIndicators',
  create: ({ options }) => {
    const resources = new Map(options.resources.map((resource) => [resource.identifier, resource]));
    return {
      upstream: {
        resourceIndicators: {
          enabled: true,
          // If several were granted, the client has to name one.
          defaultResource: async (ctx: KoaContextWithOIDC, _client: unknown, oneOf?: readonly string[]) => {
            if (oneOf !== undefined) return oneOf.length === 1 ? oneOf[0] : oneOf;
            return ctx.oidc.params?.authorization_details === undefined ? undefined : namesNone();
          },
          useGrantedResource: async (_ctx: unknown, { resource }: { readonly resource?: unknown }) =>
            [resource ?? []].flat().length === 1,
          getResourceServerInfo: serverInfo(resources),
        },
      },
    };
  },
};
