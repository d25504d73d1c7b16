import type { ClientRecord } from './client-record.ts';

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

const permissions = new WeakMap<object, ClientPermissions>();

const derive = ({ metadata, open = [] }: Client): ClientPermissions => ({
  scopes: new Set((metadata.scope || 'openid').split(' ').filter(Boolean)),
  audience: new Set([...(metadata.audience ?? []), ...open.map(({ identifier }) => identifier)]),
  open: new Map(open.map(({ identifier, scopes }) => [identifier, scopes])),
});

/** Derived once for as long as the record is the same object. */
export const permissionsOf = (client: Client): ClientPermissions => {
  const known = permissions.get(client) ?? derive(client);
  permissions.set(client, known);
  return known;
};

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
