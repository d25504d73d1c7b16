import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';

/** A few megabytes: the flows of about three minutes at a hundred logins a second. */
const maxFlows = 20_000;

/**
 * The flows that ended in this process. A user who navigates back to one gets an error page at once. This is only a
 * shortcut: the claim in the store makes a flow single-use.
 */
export const createFinishedFlows = (lifetimeSeconds: number) => {
  const flows = new LRUCache<string, true>({ ...atMost(maxFlows), ttl: lifetimeSeconds * 1000 });
  return {
    add: (flowId: string): void => void flows.set(flowId, true),
    has: (flowId: string): boolean => flows.has(flowId),
  };
};

export type FinishedFlows = ReturnType<typeof createFinishedFlows>;
