import { CarnetError } from '../../errors.ts';
import { type ClientRecord, clientMetadata, type OpenResource } from '../client-record.ts';
import type { ClientPage, ClientStore } from '../client-store.ts';
import { parseClient } from '../parse-client.ts';
import { configuredRegistrationId } from '../registration-id.ts';
import { hashFast } from '../secret-hash.ts';
import type { ClientSettings } from './config.ts';

/** No time of a process: all processes show the same client. */
const configuredAt = '1970-01-01T00:00:00Z';

/** @throws CarnetError `invalid_client_metadata` */
const recordOf = (settings: ClientSettings, index: number, open: readonly OpenResource[]): ClientRecord => {
  const { token_epoch: tokenRevocations = 0, ...sent } = settings;
  const { secret, secretHashes, choosesAuthMethod, metadata } = parseClient(sent);
  return {
    id: settings.client_id,
    metadata: {
      ...clientMetadata(settings.client_id, metadata, configuredAt),
      configuration_key: `clients.${index}`,
    },
    // A slow hash protects the secrets in a copy of a store. This one never leaves the process, which holds the secret
    // itself as well: bcrypt would protect nothing, and would delay each start by 60 ms a client.
    secrets: secret === undefined ? secretHashes : [hashFast(secret)],
    registration: configuredRegistrationId,
    tokenRevocations,
    isAuthMethodOpen: !choosesAuthMethod || undefined,
    open,
  };
};

/**
 * The clients of the configuration as records. They are equal in all processes with the same configuration.
 *
 * @param open the resources that the configuration opens to every client
 */
export const configuredClients = (
  clients: readonly ClientSettings[],
  open: readonly OpenResource[],
): readonly ClientRecord[] => clients.map((client, index) => recordOf(client, index, open));

const readOnly = ({ id, metadata: { configuration_key: key } }: ClientRecord): CarnetError =>
  new CarnetError(
    'request_forbidden',
    `The client ${id} is part of the configuration of the server (${key}) and cannot be changed here. Change it there and restart; to invalidate its access tokens, increase its token_epoch.`,
  );

const taken = ({ id, metadata: { configuration_key: key } }: ClientRecord): CarnetError =>
  new CarnetError(
    'conflict',
    `A client with the id ${id} is part of the configuration of the server (${key}). Choose another id.`,
  );

/** Where a page continues among the configured clients. A store's own places are digests without a dot. */
const placePattern = /^clients\.(\d{1,9})$/;

/** Pages of the configured clients, and then of the store's. Stored clients with the id of a configured one are left out. */
const createList =
  (store: Pick<ClientStore, 'list'>, records: readonly ClientRecord[], byId: ReadonlyMap<string, ClientRecord>) =>
  async ({ limit, after }: Parameters<ClientStore['list']>[0]): Promise<ClientPage> => {
    const place = after === undefined ? 0 : Number(placePattern.exec(after)?.[1] ?? records.length);
    const own = records.slice(place, place + limit);
    if (own.length === limit) return { records: own, next: `clients.${place + limit}` };
    const isStorePlace = after !== undefined && !placePattern.test(after);
    const page = await store.list({ limit: limit - own.length, after: isStorePlace ? after : undefined });
    // The store's own array if nothing changes: its JSON is cached by the array.
    if (own.length === 0 && !page.records.some(({ id }) => byId.has(id))) return page;
    return { records: [...own, ...page.records.filter(({ id }) => !byId.has(id))], next: page.next };
  };

/**
 * A store in front of which the clients of the configuration are found, and cannot be changed. A stored client with the id of
 * a configured one has no effect: what it may do, and its secrets, are those of the configuration.
 */
export const withConfiguredClients = (store: ClientStore, records: readonly ClientRecord[]): ClientStore => {
  if (records.length === 0) return store;
  const byId: ReadonlyMap<string, ClientRecord> = new Map(records.map((record) => [record.id, record]));

  const refuseConfigured = (id: string, refuse = readOnly): void => {
    const record = byId.get(id);
    if (record !== undefined) throw refuse(record);
  };

  return {
    ...store,
    find: (id) => {
      const record = byId.get(id);
      return record === undefined ? store.find(id) : Promise.resolve(record);
    },
    findFresh: async (id) => byId.get(id) ?? store.findFresh(id),
    create: async (record, also) => {
      refuseConfigured(record.id, taken);
      await store.create(record, also);
    },
    replace: async (record) => {
      refuseConfigured(record.id);
      await store.replace(record);
    },
    update: async (id, change) => {
      refuseConfigured(id);
      return store.update(id, change);
    },
    remove: async (id) => {
      refuseConfigured(id);
      await store.remove(id);
    },
    list: createList(store, records, byId),
  };
};
