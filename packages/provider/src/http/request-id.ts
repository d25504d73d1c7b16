import { randomBytes } from 'node:crypto';

/**
 * Names for requests, unique in this process and very likely everywhere; they are no secret and cost no random bytes each.
 * A client's `X-Request-Id` is not taken over: anybody can send one.
 */
export const createRequestIds = (): (() => string) => {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count++;
    return `${prefix}-${count.toString(36)}`;
  };
};
