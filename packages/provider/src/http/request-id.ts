import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface RequestIdOptions {
  /** Take over a well-formed `X-Request-Id`. Only behind a proxy that sets it: anybody can send one. Default false. */
  readonly trustIncoming?: boolean;
}

const wellFormed = /^[A-Za-z0-9._-]{1,64}$/;

/** Names for requests, unique in this process and very likely everywhere; they are no secret and cost no random bytes each. */
export const createRequestIds = (options: RequestIdOptions = {}): ((request: IncomingMessage) => string) => {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const incoming = options.trustIncoming === true ? request.headers['x-request-id'] : undefined;
    if (typeof incoming === 'string' && wellFormed.test(incoming)) return incoming;
    count++;
    return `${prefix}-${count.toString(36)}`;
  };
};
