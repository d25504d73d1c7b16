import { createTokenBucket } from '../concurrency/token-bucket.ts';
import { CarnetError } from '../errors.ts';

/**
 * Limits the rows that requests of public clients create: any caller can send such a request.
 *
 * The returned function throws a {CarnetError} `too_busy` if a public client may create no row now.
 */
export const createPublicQuota = (now: () => number): ((isPublic: boolean) => void) => {
  const take = createTokenBucket({ perSecond: 20, atOnce: 200, now });
  return (isPublic) => {
    if (!isPublic || take()) return;
    throw new CarnetError('too_busy', 'Public clients send too many requests. Try again in a moment.');
  };
};
