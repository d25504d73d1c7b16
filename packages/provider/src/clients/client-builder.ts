import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { defaultAuthMethod, secretAuthMethods } from './client-fields.ts';
import { type ClientRecord, clientMetadata, type OAuth2Client } from './client-record.ts';
import type { ClientInput } from './parse-client.ts';
import { createRegistrationId } from './registration-id.ts';
import { generateRegistrationToken } from './registration-tokens.ts';
import { generateSecret, hashFast, hashSecret } from './secret-hash.ts';

export interface ClientBuilderDependencies extends Clock {
  /** Rules beyond the wire schema's. Throws CarnetError `invalid_client_metadata`. */
  readonly validateMetadata: (metadata: OAuth2Client) => Promise<void>;
  /** For chosen secrets. Default 10. */
  readonly bcryptCost?: number;
}

export const usesSecret = (metadata: Pick<OAuth2Client, 'token_endpoint_auth_method'>): boolean =>
  secretAuthMethods.includes(metadata.token_endpoint_auth_method);

/** A caller that sends back the default that a GET has shown registers no method: a GET and a PUT change nothing. */
const staysOpen = ({ isAuthMethodOpen }: ClientRecord, { choosesAuthMethod, metadata }: ClientInput): boolean =>
  !choosesAuthMethod || (isAuthMethodOpen === true && metadata.token_endpoint_auth_method === defaultAuthMethod);

/** RFC 3339, whole seconds. */
export const timestamp = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

export type ClientBuilder = ReturnType<typeof createClientBuilder>;

/** Builds client records, and stores none. */
export const createClientBuilder = ({ validateMetadata, bcryptCost, now }: ClientBuilderDependencies) => ({
  /**
   * Builds a new client. The secret is undefined if the client has none, or if its hash was given. The token is the one with
   * which the client manages itself (RFC 7592). Neither is shown again.
   */
  build: async ({ id = randomUUID(), secret: chosen, secretHashes, choosesAuthMethod, metadata }: ClientInput) => {
    const full = clientMetadata(id, metadata, timestamp(now()));
    await validateMetadata(full);
    const needsSecret = usesSecret(metadata) && secretHashes.length === 0;
    const secret = needsSecret ? (chosen ?? generateSecret()) : undefined;
    let secrets = usesSecret(metadata) ? secretHashes : [];
    if (secret !== undefined)
      secrets = [chosen === undefined ? hashFast(secret) : await hashSecret(secret, bcryptCost)];
    const token = generateRegistrationToken();
    const record: ClientRecord = {
      id,
      metadata: full,
      secrets,
      registration: createRegistrationId(),
      isAuthMethodOpen: !choosesAuthMethod || undefined,
      registrationToken: token.hash,
    };
    return { record, secret, registrationToken: token.value };
  },
  /**
   * Replaces all metadata. The secret stays unless `input` has another. An unregistered `token_endpoint_auth_method` stays
   * unregistered if the caller sends back the default.
   */
  rebuild: async (record: ClientRecord, input: ClientInput): Promise<ClientRecord> => {
    const { secret, secretHashes, metadata } = input;
    const { client_id, created_at } = record.metadata;
    const full = clientMetadata(client_id, metadata, created_at, timestamp(now()));
    await validateMetadata(full);
    const isNew = secret !== undefined && usesSecret(metadata);
    const given = isNew ? [await hashSecret(secret, bcryptCost)] : secretHashes;
    const secrets = given.length > 0 && usesSecret(metadata) ? given : record.secrets;
    if (usesSecret(metadata) && secrets.length === 0) {
      throw new CarnetError(
        'invalid_client_metadata',
        'The client has no secret yet and needs one for this token_endpoint_auth_method: send a client_secret.',
      );
    }
    return { ...record, metadata: full, secrets, isAuthMethodOpen: staysOpen(record, input) || undefined };
  },
});
