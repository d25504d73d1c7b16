import { errors } from 'oidc-provider';
import type { ProviderClient, ProviderClients } from '../clients.ts';

export type FindClient = (id: string) => Promise<ProviderClient | undefined>;

/** Finds clients, but none that asks for what is switched off: it is refused elsewhere. */
export const createFindClient =
  (clients: Pick<ProviderClients, 'find'>): FindClient =>
  async (id) => {
    try {
      return await clients.find(id);
    } catch (error) {
      if (error instanceof errors.InvalidClientMetadata) return undefined;
      throw error;
    }
  };
