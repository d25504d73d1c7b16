import { LRUCache } from 'lru-cache';

/**
 * Which flows ended in this process, so that a person who went back is told so at once. A courtesy: what makes a flow
 * single-use is the claim in the store.
 */
export interface FinishedFlows {
  add(flowId: string): void;
  has(flowId: string): boolean;
}

/** Of the last of them: some megabytes, and minutes even at a hundred logins a second. */
const maxFlows = 20_000;

export const createFinishedFlows = (lifetimeSeconds: number): FinishedFlows => {
  const flows = new LRUCache<string, true>({ max: maxFlows, ttl: lifetimeSeconds * 1000 });
  return { add: (flowId) => void flows.set(flowId, true), has: (flowId) => flows.has(flowId) };
};
