import { CarnetError } from '../errors.ts';
import type { ClientRecord } from './client-record.ts';
import { parseClient } from './client-schema.ts';
import { documentRegistration } from './registration.ts';

const unreadAt = '1970-01-01T00:00:00Z';

/** Whether a client could not be found for its metadata document, and how; undefined for any other error. */
export const documentProblemIn = (error: unknown): 'unavailable' | 'invalid' | undefined => {
  if (!(error instanceof CarnetError)) return undefined;
  if (error.code === 'client_document_unavailable') return 'unavailable';
  return error.code === 'client_document_invalid' ? 'invalid' : undefined;
};

/** A client of which nothing is known but its id. */
const unread = (id: string): ClientRecord => ({
  id,
  secrets: [],
  registration: documentRegistration,
  metadata: {
    client_id: id,
    ...parseClient({}).metadata,
    client_secret_expires_at: 0,
    created_at: unreadAt,
    updated_at: unreadAt,
  },
});

/**
 * A client as one of many: where its metadata document can't be had, a record with nothing but its id, so that the document
 * of one client never stops what is done for the others. Never for deciding what a client may do.
 */
export const findOrUnread = (
  clients: { find(id: string): Promise<ClientRecord | undefined> },
  id: string,
): Promise<ClientRecord | undefined> =>
  clients.find(id).catch((error: unknown) => {
    if (documentProblemIn(error) !== undefined) return unread(id);
    throw error;
  });
