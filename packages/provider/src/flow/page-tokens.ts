import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';

/** Where a list goes on, sealed: a page token can't be made up. */
export const createPageTokens = (envelope: Envelope) => ({
  seal: (text: string): string => envelope.seal('page_token', Buffer.from(text)),
  /** Throws `invalid_request` for what we have not sealed. */
  open(token: string): string {
    const bytes = envelope.open('page_token', token);
    if (bytes === undefined) throw new CarnetError('invalid_request', 'The parameter page_token is not valid.');
    return bytes.toString();
  },
});
