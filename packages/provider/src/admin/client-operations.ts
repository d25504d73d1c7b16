import { randomUUID } from 'node:crypto';
import { type ClientRecord, maxRotatedSecrets, type OAuth2Client } from '../clients/client-record.ts';
import { type ClientInput, parseClient, parseLifespans, secretAuthMethods } from '../clients/client-schema.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { generateSecret, hashSecret } from '../clients/secret-hash.ts';
import { CarnetError } from '../errors.ts';
import { applyPatch } from './client-patch.ts';

export interface ClientOperationDependencies {
  readonly clients: Pick<ClientStore, 'create' | 'update'>;
  /** Rules beyond the wire schema's. Throws CarnetError `invalid_client_metadata`. */
  readonly validateMetadata: (metadata: OAuth2Client) => Promise<void>;
  /** For secrets that are chosen. Default 10. */
  readonly bcryptCost?: number;
  readonly now?: () => Date;
}

/** A client that was changed, and its new secret if it got one: the only time it is seen. */
export interface ChangedClient {
  readonly record: ClientRecord;
  readonly secret: string | undefined;
}

export interface ClientOperations {
  create(sent: unknown): Promise<ChangedClient>;
  /** PUT: all of it anew but the secret, which stays unless another one is given. */
  replace(id: string, sent: unknown): Promise<ChangedClient>;
  /** JSON Patch, to which an absent secret looks like `""`. */
  patch(id: string, patch: unknown): Promise<ChangedClient>;
  setLifespans(id: string, sent: unknown): Promise<ClientRecord>;
  /** A new secret; the latest five before it stay valid. */
  rotateSecret(id: string): Promise<ChangedClient>;
  /** Only the current secret stays valid. */
  forgetRotatedSecrets(id: string): Promise<ClientRecord>;
}

const refuse = (problem: string): CarnetError => new CarnetError('invalid_client_metadata', problem);

const usesSecret = (metadata: Pick<OAuth2Client, 'token_endpoint_auth_method'>): boolean =>
  secretAuthMethods.includes(metadata.token_endpoint_auth_method);

/** RFC 3339, whole seconds. */
const timestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

const assertUsesSecret = ({ metadata }: ClientRecord): void => {
  if (usesSecret(metadata)) return;
  throw refuse(`The client authenticates by ${metadata.token_endpoint_auth_method} and has no secret to rotate.`);
};

export const createClientOperations = (deps: ClientOperationDependencies): ClientOperations => {
  const { clients, validateMetadata, bcryptCost, now = () => new Date() } = deps;

  const create = async (sent: unknown): Promise<ChangedClient> => {
    const { id = randomUUID(), secret: chosen, secretHash, metadata } = parseClient(sent);
    const brought = usesSecret(metadata) ? secretHash : undefined;
    const needsSecret = usesSecret(metadata) && brought === undefined;
    const [secret, generated] = needsSecret ? [chosen ?? generateSecret(), chosen === undefined] : [undefined, false];
    const at = timestamp(now());
    const full: OAuth2Client = {
      client_id: id,
      ...metadata,
      client_secret_expires_at: 0,
      created_at: at,
      updated_at: at,
    };
    await validateMetadata(full);
    const hashes = secret === undefined ? [] : [await hashSecret(secret, { generated, bcryptCost })];
    const secrets = brought === undefined ? hashes : [brought];
    const record = { id, metadata: full, secrets };
    await clients.create(record);
    return { record, secret };
  };

  const changed = async (
    record: ClientRecord,
    { secret, secretHash, metadata }: ClientInput,
  ): Promise<ClientRecord> => {
    const { client_id, created_at } = record.metadata;
    const full: OAuth2Client = {
      client_id,
      ...metadata,
      client_secret_expires_at: 0,
      created_at,
      updated_at: timestamp(now()),
    };
    await validateMetadata(full);
    const isNew = secret !== undefined && usesSecret(metadata);
    const given = isNew ? await hashSecret(secret, { bcryptCost }) : secretHash;
    const secrets = given !== undefined && usesSecret(metadata) ? [given] : record.secrets;
    if (usesSecret(metadata) && secrets.length === 0) {
      throw refuse(
        'The client has no secret yet and needs one for this token_endpoint_auth_method: send a client_secret.',
      );
    }
    return { ...record, metadata: full, secrets };
  };

  const touched = (record: ClientRecord, secrets: readonly string[]): ClientRecord => ({
    ...record,
    metadata: { ...record.metadata, updated_at: timestamp(now()) },
    secrets,
  });

  return {
    create,
    replace: async (id, sent) => {
      const input = parseClient(sent);
      const record = await clients.update(id, (current) => changed(current, input));
      return { record, secret: usesSecret(record.metadata) ? input.secret : undefined };
    },
    patch: async (id, patch) => {
      const record = await clients.update(id, (current) =>
        changed(current, parseClient(applyPatch({ ...current.metadata, client_secret: '' }, patch))),
      );
      // Whoever patches the secret knows it: it is not said again.
      return { record, secret: undefined };
    },
    setLifespans: (id, sent) => {
      const lifespans = parseLifespans(sent);
      return clients.update(id, ({ metadata, ...record }) => ({
        ...record,
        metadata: { ...metadata, ...lifespans, updated_at: timestamp(now()) },
      }));
    },
    rotateSecret: async (id) => {
      const secret = generateSecret();
      const encoded = await hashSecret(secret, { generated: true });
      const record = await clients.update(id, (current) => {
        assertUsesSecret(current);
        return touched(current, [encoded, ...current.secrets].slice(0, 1 + maxRotatedSecrets));
      });
      return { record, secret };
    },
    forgetRotatedSecrets: (id) => clients.update(id, (current) => touched(current, current.secrets.slice(0, 1))),
  };
};
