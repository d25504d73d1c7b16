import { type ProviderClient, recordOf } from './clients.ts';

/**
 * Whether a page of an origin may read the responses to a client. A client that registers origins is limited to those. A
 * public client without any is open to every origin: the page must send a code with its verifier, or a token, and any other
 * program with these gets the same response. Safe because these endpoints read no cookie, and browsers send none:
 * Access-Control-Allow-Credentials is never set. A confidential client must not run in a browser: its secret would leak.
 */
export const isAllowedOrigin = (client: ProviderClient, origin: string): boolean => {
  const { allowed_cors_origins: registered = [] } = recordOf(client).metadata;
  return registered.length > 0 ? registered.includes(origin) : client.clientAuthMethod === 'none';
};
