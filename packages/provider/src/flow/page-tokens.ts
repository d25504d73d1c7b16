import { hash } from 'node:crypto';
import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';

/** The same positions are requested repeatedly. A token can be opened for a month and is reused for an hour. */
const kept = { ...atMost(1_000), ttl: 3_600_000 };

/** 72 bits of a hash: every token has the same length, whatever the filters are. */
const nameLength = 12;
const nameOf = (listing: string): string => hash('sha256', listing, 'base64url').slice(0, nameLength);

/**
 * The next position in a list, sealed with the name of the list: a page token can't be forged or used for another list.
 */
export const createPageTokens = (envelope: Envelope) => {
  const tokens = new LRUCache<string, string>({
    ...kept,
    memoMethod: (text) => envelope.seal('page_token', Buffer.from(text)),
  });
  return {
    seal: (listing: string, place: string): string => tokens.memo(nameOf(listing) + place),
    /** @throws CarnetError `invalid_request` for a token that was not sealed for this list */
    open(listing: string, token: string): string {
      const text = envelope.open('page_token', token)?.toString();
      if (text === undefined) throw new CarnetError('invalid_request', 'The parameter page_token is not valid.');
      // The one step that binds a token to its list: a position in one list has no meaning in another.
      if (!text.startsWith(nameOf(listing))) {
        throw new CarnetError(
          'invalid_request',
          'The parameter page_token belongs to another list. Repeat the filters of the request that returned it, or begin with the first page.',
        );
      }
      return text.slice(nameLength);
    },
  };
};
