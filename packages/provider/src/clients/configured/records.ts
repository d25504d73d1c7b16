import type { ClientRecord, OpenResource } from '../client-record.ts';
import { parseClient } from '../parse-client.ts';
import { configuredRegistrationId } from '../registration-id.ts';
import { hashFast } from '../secret-hash.ts';
import type { ClientSettings } from './settings.ts';

/** No time of a process: all processes show the same client. */
const configuredAt = '1970-01-01T00:00:00Z';

/** @throws CarnetError `invalid_client_metadata` */
const recordOf = (settings: ClientSettings, index: number, open: readonly OpenResource[]): ClientRecord => {
  const { token_epoch: tokenRevocations = 0, ...sent } = settings;
  const { secret, secretHashes, choosesAuthMethod, metadata } = parseClient(sent);
  return {
    id: settings.client_id,
    metadata: {
      client_id: settings.client_id,
      ...metadata,
      client_secret_expires_at: 0,
      created_at: configuredAt,
      updated_at: configuredAt,
      configuration_key: `clients.${index}`,
    },
    // A slow hash protects the secrets in a copy of a store. This one never leaves the process, which holds the secret
    // itself as well: bcrypt would protect nothing, and would delay each start by 60 ms a client.
    secrets: secret === undefined ? secretHashes : [hashFast(secret)],
    registration: configuredRegistrationId,
    tokenRevocations,
    ...(!choosesAuthMethod && { isAuthMethodOpen: true }),
    ...(open.length > 0 && { open }),
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
