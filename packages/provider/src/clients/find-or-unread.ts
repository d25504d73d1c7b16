import { CarnetError } from '../errors.ts';
import { type ClientRecord, clientMetadata } from './client-record.ts';
import { parseClient } from './parse-client.ts';
import { documentRegistrationId } from './registration-id.ts';

/** Why the metadata document of a client could not be used; undefined for any other error. */
export const documentProblemIn = (error: unknown): 'unavailable' | 'invalid' | undefined => {
  if (!(error instanceof CarnetError)) return undefined;
  if (error.code === 'client_document_unavailable') return 'unavailable';
  return error.code === 'client_document_invalid' ? 'invalid' : undefined;
};

/** A record for a client of which only the id is known. */
const unread = (id: string): ClientRecord => ({
  id,
  secrets: [],
  registration: documentRegistrationId,
  metadata: clientMetadata(id, parseClient({}).metadata, '1970-01-01T00:00:00Z'),
});

/**
 * Finds one client of many. If its metadata document is not available, the record has only its id, so that one document never
 * stops an operation on other clients. Never use this to decide what a client may do.
 */
export const findOrUnread = (
  clients: { find(id: string): Promise<ClientRecord | undefined> },
  id: string,
): Promise<ClientRecord | undefined> =>
  clients.find(id).catch((error: unknown) => {
    if (documentProblemIn(error) !== undefined) return unread(id);
    throw error;
  });
