import { atMost, createTokenBucket } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';

export interface FetchSharesOptions {
  readonly perMinute: number;
  /** The network of the caller; undefined if there is none. */
  readonly callerNetwork: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Limits the fetches of documents: unauthenticated callers can invent client ids. One network of callers gets a sixth of
 * the fetches, and one host of documents a third, of which one network gets a quarter: none uses up those of the others.
 * @returns a function that takes one fetch, or returns the limit that is reached
 */
export const createFetchShares = ({ perMinute, callerNetwork, now }: FetchSharesOptions) => {
  const bucketOf = (most: number) => createTokenBucket({ perSecond: most / 60, atOnce: most, now });
  const sharesOf = (part: number) =>
    new LRUCache<string, () => boolean>({ ...atMost(10_000), memoMethod: () => bucketOf(Math.ceil(perMinute / part)) });
  const [networks, hosts, networksAtHosts, takeAny] = [sharesOf(6), sharesOf(3), sharesOf(12), bucketOf(perMinute)];
  return (url: string): string | undefined => {
    const [network, { host }] = [callerNetwork(), new URL(url)];
    // Shares of networks are checked first: a flood from one network takes no more than its share from the other limits.
    if (network !== undefined && !(networks.memo(network)() && networksAtHosts.memo(`${network} ${host}`)()))
      return "the caller's network has used its share";
    if (!hosts.memo(host)()) return 'the host of the document has used its share';
    return takeAny() ? undefined : 'maxFetchesPerMinute is reached';
  };
};
