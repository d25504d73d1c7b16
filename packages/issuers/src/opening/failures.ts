import { atMost } from '@carnet/adapter-contract/kit';
import { CarnetError } from '@carnet/provider/config';
import { LRUCache } from 'lru-cache';
import type { Issuer } from '../ports.ts';

/** How long an issuer that could not be opened is refused without another attempt. */
const failureMs = 5_000;
const mostFailures = 10_000;

export const notOpened = (cause?: unknown): CarnetError =>
  new CarnetError('too_busy', 'This issuer can not be used at the moment. Try again later.', { cause });

/** Remembers for a short time which issuers could not be opened, so that each request does not try again. */
export const createFailures = () => {
  const failed = new LRUCache<string, Issuer>({ ...atMost(mostFailures), ttl: failureMs });
  return {
    note: (issuer: Issuer): void => void failed.set(issuer.name ?? '', issuer),
    /** @throws CarnetError `too_busy` if the issuer with these settings could not be opened a moment ago */
    assertNone: (issuer: Issuer): void => {
      if (failed.get(issuer.name ?? '') === issuer) throw notOpened();
    },
  };
};
