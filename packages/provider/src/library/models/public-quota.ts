import { createTokenBucket } from '../../concurrency/token-bucket.ts';

/**
 * Limits the rows that requests of public clients create: any caller can send such a request.
 *
 * @returns whether a row may be created now
 */
export const createPublicQuota = (now: () => number): (() => boolean) =>
  createTokenBucket({ perSecond: 20, atOnce: 200, now });
