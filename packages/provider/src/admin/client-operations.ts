import {
  type ChangedClient,
  type ClientBuilderDependencies,
  type CreatedClient,
  createClientBuilder,
  timestamp,
  usesSecret,
} from '../clients/client-builder.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { parseClient, parseLifespans } from '../clients/parse-client.ts';
import { generateSecret, hashSecret, maxRotatedSecrets } from '../clients/secret-hash.ts';
import { CarnetError } from '../errors.ts';
import { applyPatch, isNamedIn } from './client-patch.ts';

export interface ClientOperationDependencies extends ClientBuilderDependencies {
  readonly clients: Pick<ClientStore, 'create' | 'update'>;
}

export interface ClientOperations {
  create(sent: unknown): Promise<CreatedClient>;
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

/** A patch that sets the method registers it, even if the value is the default. */
const openFor = (patch: unknown, record: ClientRecord): ClientRecord =>
  isNamedIn(patch, 'token_endpoint_auth_method') ? { ...record, isAuthMethodOpen: undefined } : record;

const assertUsesSecret = ({ metadata }: ClientRecord): void => {
  if (usesSecret(metadata)) return;
  throw refuse(`The client authenticates by ${metadata.token_endpoint_auth_method} and has no secret to rotate.`);
};

export const createClientOperations = (deps: ClientOperationDependencies): ClientOperations => {
  const { clients, now } = deps;
  const { build, rebuild } = createClientBuilder(deps);

  const touched = (record: ClientRecord, secrets: readonly string[]): ClientRecord => ({
    ...record,
    metadata: { ...record.metadata, updated_at: timestamp(now()) },
    secrets,
  });

  return {
    create: async (sent) => {
      const created = await build(parseClient(sent));
      await clients.create(created.record);
      return created;
    },
    replace: async (id, sent) => {
      const input = parseClient(sent);
      const record = await clients.update(id, (current) => rebuild(current, input));
      return { record, secret: usesSecret(record.metadata) ? input.secret : undefined };
    },
    patch: async (id, patch) => {
      const record = await clients.update(id, (current) =>
        rebuild(openFor(patch, current), parseClient(applyPatch({ ...current.metadata, client_secret: '' }, patch))),
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
