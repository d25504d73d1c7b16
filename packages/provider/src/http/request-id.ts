import { randomBytes } from 'node:crypto';

/**
 * Request ids, unique in this process and very likely everywhere. They are not secret and use no random bytes each.
 * The `X-Request-Id` of a client is not used, because any client can send one.
 */
export const createRequestIds = (): (() => string) => {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count++;
    return `${prefix}-${count.toString(36)}`;
  };
};
