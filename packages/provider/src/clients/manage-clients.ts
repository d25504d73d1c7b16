import { CarnetError } from '../errors.ts';
import { type Page, type PageQuery, pageOf } from '../storage/page.ts';
import { type ClientBuilderDependencies, createClientBuilder, timestamp, usesSecret } from './client-builder.ts';
import { applyPatch, membersSetBy, type PatchOperation } from './client-patch.ts';
import { type ClientRecord, derivedOnce, type OAuth2Client } from './client-record.ts';
import type { ClientLifespans, RegisteredMetadata } from './client-schema.ts';
import type { ClientStore } from './client-store.ts';
import { parseClient, parseLifespans } from './parse-client.ts';
import { scanClients } from './scan-clients.ts';
import { generateSecret, hashFast, maxRotatedSecrets } from './secret-hash.ts';

type Settable<T> = { readonly [K in keyof T]?: (T[K] extends string[] | undefined ? readonly string[] : T[K]) | null };

/**
 * Client metadata by their registered names (RFC 7591, OpenID Connect Registration, and those of Hydra). `null` sets the
 * default.
 */
export interface ClientMetadata extends Settable<RegisteredMetadata> {
  /** Default: a random UUID. */
  readonly client_id?: string;
  /** Default: a random secret, if the client authenticates by one. */
  readonly client_secret?: string;
  /** In place of `client_secret`, for a client of another server: the hash of its secret, or several with rotated ones. */
  readonly client_secret_hash?: string | readonly string[];
}

/** A client after a change. `client_secret` is present only if the change set it, and is never shown again. */
export interface ChangedOAuth2Client extends OAuth2Client {
  readonly client_secret?: string;
}

export interface CreatedOAuth2Client extends ChangedOAuth2Client {
  /** The token with which the client manages its registration (RFC 7592). It is never shown again. */
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
}

export interface ClientQuery extends PageQuery {
  /** Only clients with exactly this `client_name`. Pages may then be short. */
  readonly clientName?: string;
  /** Only clients with exactly this `owner`. Pages may then be short. */
  readonly owner?: string;
}

/**
 * The registered clients. A change is effective in this process at once, and in the other processes after at most
 * `clientCache.seconds`. Functions that take an id throw CarnetError `not_found`; those that take metadata throw
 * `invalid_client_metadata`.
 */
export interface Clients {
  /**
   * Registers a client.
   *
   * @throws CarnetError `conflict` when the `client_id` is taken
   * @example
   * const { client_id, client_secret } = await carnet.clients.create({
   *   client_name: 'Shop',
   *   redirect_uris: ['https://shop.example.com/callback'],
   *   grant_types: ['authorization_code', 'refresh_token'],
   *   scope: 'openid email offline_access',
   * });
   */
  create(metadata: ClientMetadata): Promise<CreatedOAuth2Client>;
  /** Gets a client from the store, never from a cache. */
  get(id: string): Promise<OAuth2Client>;
  /**
   * Lists clients, in the order of the store.
   *
   * @example
   * for (let after; ; ) {
   *   const { items, next } = await carnet.clients.list({ limit: 500, after });
   *   for (const client of items) console.log(client.client_id);
   *   if (next === undefined) break;
   *   after = next;
   * }
   */
  list(query?: ClientQuery): Promise<Page<OAuth2Client>>;
  /** Replaces all metadata. The secret stays unless `client_secret` is given. */
  replace(id: string, metadata: ClientMetadata): Promise<ChangedOAuth2Client>;
  /**
   * Changes the given members and leaves the others.
   *
   * @example
   * await carnet.clients.update('shop', { redirect_uris: ['https://shop.example.com/signed-in'] });
   */
  update(id: string, changes: ClientMetadata): Promise<ChangedOAuth2Client>;
  /** Applies a JSON Patch (RFC 6902). @throws CarnetError `invalid_request` */
  patch(id: string, operations: readonly PatchOperation[]): Promise<OAuth2Client>;
  /** Deletes a client. Its tokens and grants are invalid from then on. */
  delete(id: string): Promise<void>;
  /** Replaces all 13 lifespans. A lifespan that is not given has the configured default. */
  setLifespans(id: string, lifespans: Partial<ClientLifespans>): Promise<OAuth2Client>;
  /** Sets a random secret and returns it. The five secrets before it stay valid. */
  rotateSecret(id: string): Promise<ChangedOAuth2Client>;
  /** Revokes every secret but the current one. */
  revokeRotatedSecrets(id: string): Promise<OAuth2Client>;
}

export interface ClientsDependencies extends ClientBuilderDependencies {
  readonly clients: Pick<ClientStore, 'findFresh' | 'create' | 'update' | 'remove' | 'list'>;
  /** Where a client manages its registration (RFC 7592). */
  readonly registrationUri: (id: string) => string;
}

/** A change that names the method registers it, even if the value is the default. */
const openFor = (members: readonly string[], record: ClientRecord): ClientRecord =>
  members.includes('token_endpoint_auth_method') ? { ...record, isAuthMethodOpen: undefined } : record;

const withSecret = ({ metadata }: ClientRecord, secret: string | undefined): ChangedOAuth2Client =>
  secret === undefined ? metadata : { ...metadata, client_secret: secret };

/** The same array for the same page, so that its JSON is made once. */
const listOf = derivedOnce((records: readonly ClientRecord[]) => records.map(({ metadata }) => metadata));

const createQueries = ({ clients }: ClientsDependencies): Pick<Clients, 'get' | 'list'> => ({
  get: (id) =>
    clients.findFresh(id).then((record) => {
      if (record === undefined) throw new CarnetError('not_found', '');
      return record.metadata;
    }),
  async list({ clientName, owner, ...page } = {}) {
    const isMatch = ({ metadata }: ClientRecord): boolean =>
      (!clientName || metadata.client_name === clientName) && (!owner || metadata.owner === owner);
    const { records, next } =
      clientName || owner ? await scanClients(clients, isMatch, pageOf(page)) : await clients.list(pageOf(page));
    return { items: listOf(records), next };
  },
});

/** The changes of metadata. */
const createChanges = (deps: ClientsDependencies): Pick<Clients, 'create' | 'replace' | 'update' | 'patch'> => {
  const { clients, registrationUri } = deps;
  const { build, rebuild } = createClientBuilder(deps);

  const changed = async (
    id: string,
    secret: string | undefined,
    change: (record: ClientRecord) => Promise<ClientRecord>,
  ): Promise<ChangedOAuth2Client> => {
    const record = await clients.update(id, change);
    return withSecret(record, usesSecret(record.metadata) ? secret : undefined);
  };

  return {
    async create(sent) {
      const { record, secret, registrationToken } = await build(parseClient(sent));
      await clients.create(record);
      return {
        ...withSecret(record, secret),
        registration_access_token: registrationToken,
        registration_client_uri: registrationUri(record.id),
      };
    },
    async replace(id, sent) {
      const input = parseClient(sent);
      return changed(id, input.secret, (current) => rebuild(current, input));
    },
    async update(id, changes) {
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      return changed(id, changes.client_secret, async (current) =>
        rebuild(openFor(Object.keys(given), current), parseClient({ ...current.metadata, ...given })),
      );
    },
    // The secret is not returned: the caller sent it. In the patched document an absent secret is "".
    patch: (id, operations) =>
      changed(id, undefined, async (current) =>
        rebuild(
          openFor(membersSetBy(operations), current),
          parseClient(applyPatch({ ...current.metadata, client_secret: '' }, operations)),
        ),
      ),
  };
};

type SecretChanges = Pick<Clients, 'setLifespans' | 'rotateSecret' | 'revokeRotatedSecrets'>;

/** The changes of lifespans and secrets. All other metadata stay. */
const createSecretChanges = ({ clients, now }: ClientsDependencies): SecretChanges => {
  const changed = async (id: string, change: (record: ClientRecord) => ClientRecord): Promise<OAuth2Client> => {
    const record = await clients.update(id, (current) => {
      const { metadata, ...rest } = change(current);
      return { ...rest, metadata: { ...metadata, updated_at: timestamp(now()) } };
    });
    return record.metadata;
  };

  return {
    async setLifespans(id, sent) {
      const lifespans = parseLifespans(sent);
      return changed(id, ({ metadata, ...record }) => ({ ...record, metadata: { ...metadata, ...lifespans } }));
    },
    async rotateSecret(id) {
      const secret = generateSecret();
      const metadata = await changed(id, (current) => {
        if (!usesSecret(current.metadata)) {
          const { token_endpoint_auth_method: method } = current.metadata;
          throw new CarnetError(
            'invalid_client_metadata',
            `The client authenticates by ${method} and has no secret to rotate.`,
          );
        }
        return { ...current, secrets: [hashFast(secret), ...current.secrets].slice(0, 1 + maxRotatedSecrets) };
      });
      return { ...metadata, client_secret: secret };
    },
    revokeRotatedSecrets: (id) => changed(id, (current) => ({ ...current, secrets: current.secrets.slice(0, 1) })),
  };
};

export const createClients = (deps: ClientsDependencies): Clients => ({
  ...createQueries(deps),
  ...createChanges(deps),
  ...createSecretChanges(deps),
  delete: (id) => deps.clients.remove(id),
});
