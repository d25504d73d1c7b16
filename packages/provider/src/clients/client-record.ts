import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { parseJson } from '@carnet/adapter-contract/kit';
import { recordId } from '../storage/record-id.ts';
import type { RegisteredMetadata } from './client-schema.ts';

/** Derives a value from an object once, and keeps it for as long as the object exists. */
export const derivedOnce = <Source extends object, Derived>(
  derive: (source: Source) => Derived,
): ((source: Source) => Derived) => {
  const kept = new WeakMap<Source, Derived>();
  return (source) => {
    const before = kept.get(source);
    if (before !== undefined) return before;
    const derived = derive(source);
    kept.set(source, derived);
    return derived;
  };
};

/** A client as the admin API shows it (Hydra's OAuth2Client), in snake_case; never with its secret. */
export interface OAuth2Client extends RegisteredMetadata {
  readonly client_id: string;
  /** Secrets do not expire here. */
  readonly client_secret_expires_at: 0;
  /** RFC 3339, whole seconds. */
  readonly created_at: string;
  readonly updated_at: string;
  /** The key of a client that is part of the configuration, such as `clients.0`. Absent: the client is in the store. */
  readonly configuration_key?: string;
}

/** The metadata with the members that Carnet sets. */
export const clientMetadata = (
  id: string,
  metadata: RegisteredMetadata,
  createdAt: string,
  updatedAt = createdAt,
): OAuth2Client => ({
  client_id: id,
  ...metadata,
  client_secret_expires_at: 0,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** A client as the APIs show it, as JSON: made once for as long as the metadata stay the same object. */
export const clientJson = derivedOnce((metadata: OAuth2Client) => JSON.stringify(metadata));

/** A page of clients, as JSON: made once for all callers that get the same page. */
export const clientListJson = derivedOnce((page: readonly OAuth2Client[]) => `[${page.map(clientJson).join(',')}]`);

/**
 * A registered client. Immutable: a change makes another record, so that what was derived from one (`derivedOnce`) holds
 * for as long as the record is the same object.
 */
export interface ClientRecord {
  readonly id: string;
  readonly metadata: OAuth2Client;
  /** Encoded hashes: the first is the current secret's, those after it are of rotated ones, the latest first. */
  readonly secrets: readonly string[];
  /**
   * Random, and made when the client was registered. Grants, consents and access tokens carry it, so that a client which is
   * registered again under the same id inherits none of them. Absent: the client was registered before such ids
   * existed.
   */
  readonly registration?: string;
  /** How often all access tokens of the client were revoked. Part of its token epoch (`tokenEpochOf`). Absent: never. */
  readonly tokenRevocations?: number;
  /**
   * The client has registered no `token_endpoint_auth_method` and may send its secret in either place. Its metadata show
   * `client_secret_basic`, as in Hydra. Absent for clients that were registered before this member existed: they must use
   * the method in their metadata.
   */
  readonly isAuthMethodOpen?: true;
  /** The hash of the token with which the client manages itself (RFC 7592). */
  readonly registrationToken?: string;
  /** The resources that the configuration opens to every client. Never stored. Absent: none. */
  readonly open?: readonly OpenResource[];
}

/** A resource (RFC 8707) that every client may ask for, with the scopes that come with it. */
export interface OpenResource {
  readonly identifier: string;
  readonly scopes: readonly string[];
}

export const clientKey = (id: string): RecordKey => ({ kind: 'client', id: recordId(id) });

/** The payload of a stored client. */
interface StoredClient extends Omit<ClientRecord, 'id' | 'open' | 'tokenRevocations'> {
  readonly tokenGeneration?: number;
}

export const toStoredRecord = ({ id, open: _open, tokenRevocations, ...record }: ClientRecord): StoredRecord => {
  const payload: StoredClient = { ...record, tokenGeneration: tokenRevocations };
  return { ...clientKey(id), payload: JSON.stringify(payload), expiresAt: null, clientId: id };
};

const isPayload = (value: unknown): value is StoredClient => {
  const { metadata, secrets } = (value ?? {}) as Partial<StoredClient>;
  return Array.isArray(secrets) && typeof metadata?.client_id === 'string';
};

/** @throws Error when the payload is not one that `toStoredRecord` wrote */
export const fromStoredRecord = (stored: Pick<FoundRecord, 'id' | 'payload'>): ClientRecord => {
  const payload = parseJson(stored.payload);
  if (!isPayload(payload)) throw new Error(`The stored client ${stored.id} has no readable payload`);
  const { tokenGeneration: tokenRevocations, ...rest } = payload;
  return { id: rest.metadata.client_id, ...rest, tokenRevocations };
};
