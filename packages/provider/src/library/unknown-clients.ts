import type { IncomingMessage } from 'node:http';

/** The client id of each request for which the store was asked in vain. */
const unknown = new WeakMap<IncomingMessage, string>();

/** Records that there is no client of this id, so that the store is not asked again for the request. */
export const rememberUnknownClient = (req: IncomingMessage, id: string): undefined => {
  unknown.set(req, id);
  return undefined;
};

export const isUnknownClient = (req: IncomingMessage, id: unknown): boolean =>
  typeof id === 'string' && unknown.get(req) === id;
