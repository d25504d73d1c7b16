import { createTokenBucket } from '@carnet/adapter-contract/kit';
import { CarnetError } from '@carnet/provider/config';
import type { Limits } from '../config/schema.ts';
import type { Issuer } from '../ports.ts';

type Take = () => boolean;

/** The listeners are limited separately: a flood at the endpoints does not lock out the operators of an issuer. */
export type LimitedListener = 'public' | 'admin';

const bucketOf = ({ requestsPerSecond, burst }: Limits): Take =>
  requestsPerSecond === undefined
    ? () => true
    : createTokenBucket({
        perSecond: requestsPerSecond,
        atOnce: burst ?? 2 * requestsPerSecond,
        now: () => performance.now(),
      });

/** The answer to a request over the limit of its issuer. It costs no read of the store. */
export const overLimit = (): CarnetError =>
  new CarnetError('too_many_attempts', 'This issuer gets more requests than its limit allows. Try again later.');

/** Counts the requests of each issuer in this process. The limit of one issuer never depends on the requests of another. */
export const createRequestLimits = () => {
  const ofIssuers = new WeakMap<Issuer, Readonly<Record<LimitedListener, Take>>>();
  return (issuer: Issuer, listener: LimitedListener): boolean => {
    let buckets = ofIssuers.get(issuer);
    if (buckets === undefined) {
      buckets = { public: bucketOf(issuer.limits), admin: bucketOf(issuer.limits) };
      ofIssuers.set(issuer, buckets);
    }
    return buckets[listener]();
  };
};

export type RequestLimits = ReturnType<typeof createRequestLimits>;
