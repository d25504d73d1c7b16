import { LRUCache } from 'lru-cache';
import { createTokenBucket } from '../../concurrency/token-bucket.ts';

export interface FetchSharesOptions {
  readonly perMinute: number;
  /** The network of the caller; undefined if there is none. */
  readonly callerNetwork: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Limits the fetches of documents: unauthenticated callers can invent client ids. One network of callers gets a sixth of
 * the fetches, and one host of documents a third, so that neither uses up those of the others.
 *
 * @returns a function that takes one fetch, or returns the limit that is reached
 */
export const createFetchShares = ({ perMinute, callerNetwork, now }: FetchSharesOptions) => {
  const bucketOf = (most: number) => createTokenBucket({ perSecond: most / 60, atOnce: most, now });
  const sharesOf = (part: number) =>
    new LRUCache<string, () => boolean>({ max: 10_000, memoMethod: () => bucketOf(Math.ceil(perMinute / part)) });
  const [networks, hosts, takeAny] = [sharesOf(6), sharesOf(3), bucketOf(perMinute)];
  return (url: string): string | undefined => {
    const network = callerNetwork();
    // The share of the network is checked first: a flood from one network takes no more than its share from the
    // other limits.
    if (network !== undefined && !networks.memo(network)()) return "the caller's network has used its share";
    if (!hosts.memo(new URL(url).host)()) return 'the host of the document has used its share';
    return takeAny() ? undefined : 'maxFetchesPerMinute is reached';
  };
};
