import { LRUCache } from 'lru-cache';
import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';

/** The same places are asked for again and again. What is sealed opens for a month, and is given out for an hour. */
const kept = { max: 1_000, ttl: 3_600_000 } as const;

/** Where a list goes on, sealed: a page token can't be made up. */
export const createPageTokens = (envelope: Envelope) => {
  const tokens = new LRUCache<string, string>({
    ...kept,
    memoMethod: (text) => envelope.seal('page_token', Buffer.from(text)),
  });
  return {
    seal: (text: string): string => tokens.memo(text),
    /** Throws `invalid_request` for what we have not sealed. */
    open(token: string): string {
      const bytes = envelope.open('page_token', token);
      if (bytes === undefined) throw new CarnetError('invalid_request', 'The parameter page_token is not valid.');
      return bytes.toString();
    },
  };
};
