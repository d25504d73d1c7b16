import { LRUCache } from 'lru-cache';

/**
 * The flows that ended in this process. A user who navigates back to one gets an error page at once. This is only a
 * shortcut: the claim in the store makes a flow single-use.
 */
export interface FinishedFlows {
  add(flowId: string): void;
  has(flowId: string): boolean;
}

/** A few megabytes: the flows of about three minutes at a hundred logins a second. */
const maxFlows = 20_000;

export const createFinishedFlows = (lifetimeSeconds: number): FinishedFlows => {
  const flows = new LRUCache<string, true>({ max: maxFlows, ttl: lifetimeSeconds * 1000 });
  return { add: (flowId) => void flows.set(flowId, true), has: (flowId) => flows.has(flowId) };
};
