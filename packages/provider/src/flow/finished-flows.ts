import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';

/** A few megabytes: the flows of about three minutes at a hundred logins a second. */
const maxFlows = 20_000;

/** The flows of all issuers in this process, each with the mark of its issuer. */
const flows = new LRUCache<string, object>(atMost(maxFlows));

/**
 * The flows that ended in this process. A user who navigates back to one gets an error page at once. This is only a
 * shortcut: the claim in the store makes a flow single-use.
 */
export const createFinishedFlows = (lifetimeSeconds: number) => {
  const mark = {};
  return {
    add: (flowId: string): void => void flows.set(flowId, mark, { ttl: lifetimeSeconds * 1000 }),
    has: (flowId: string): boolean => flows.get(flowId) === mark,
  };
};

export type FinishedFlows = ReturnType<typeof createFinishedFlows>;
