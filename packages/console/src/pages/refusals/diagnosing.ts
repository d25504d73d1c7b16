import { CarnetError, type OAuth2Client } from '@carnet/provider';
import type { ConsoleServer } from '../../server/console-server.ts';

/** The parts of the server that a diagnosis needs. */
export interface Diagnosing {
  readonly server: Pick<ConsoleServer, 'issuer' | 'fetch' | 'clients' | 'tokens' | 'fetchClientKeys'>;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Undefined for a client that the server does not know. */
export const findRegistered = async (
  { server }: Pick<Diagnosing, 'server'>,
  id: string | undefined,
): Promise<OAuth2Client | undefined> => {
  if (!id) return undefined;
  try {
    return await server.clients.get(id);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'not_found') return undefined;
    throw error;
  }
};
