import { CarnetError } from '../errors.ts';
import type { ClientRecord } from './client-record.ts';
import { parseClient } from './client-schema.ts';

const unreadAt = '1970-01-01T00:00:00Z';

const isAboutDocument = (error: unknown): boolean =>
  error instanceof CarnetError &&
  (error.code === 'client_document_unavailable' || error.code === 'client_document_invalid');

/** A client of which nothing is known but its id. */
const unread = (id: string): ClientRecord => ({
  id,
  secrets: [],
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
    if (isAboutDocument(error)) return unread(id);
    throw error;
  });
