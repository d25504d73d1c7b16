import type { IncomingMessage } from 'node:http';
import { errors } from 'oidc-provider';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ProviderClient, ProviderClients } from './clients.ts';
import { rememberUnknownClient } from './unknown-clients.ts';

/** oidc-provider's client of a record. Undefined if oidc-provider refuses it, because it needs a disabled feature. */
export type ClientOf = (record: ClientRecord) => ProviderClient | undefined;

export const createClientOf =
  ({ of }: Pick<ProviderClients, 'of'>): ClientOf =>
  (record) => {
    try {
      return of(record);
    } catch (error) {
      if (error instanceof errors.InvalidClientMetadata) return undefined;
      throw error;
    }
  };

export type FindClient = (req: IncomingMessage, id: string) => Promise<ProviderClient | undefined>;

/**
 * The client of a request. Undefined if oidc-provider has to refuse the request, because the client does not exist
 * (then it is not looked up again), or needs a disabled feature.
 */
export const createFindClient =
  ({ find }: Pick<ProviderClients, 'find'>): FindClient =>
  (req, id) =>
    find(id).then(
      (client) => client ?? rememberUnknownClient(req, id),
      (error: unknown) => {
        if (error instanceof errors.InvalidClientMetadata) return undefined;
        throw error;
      },
    );
