import { createWorkQueue, type WorkQueue } from '../clients/work-queue.ts';

/** Requests to one client at once. */
const width = 4;
/** To all of them together: a session of many clients must not use up the sockets of this process. */
const totalWidth = 256;
/** References that wait in memory for one client. What is beyond stands in the store all the same. */
const maxWaiting = 1_000;

const full = (): Error => new Error('the lane is full');

/** A lane for each client: one that does not answer is waited for by its own requests only. */
export const createClientLanes = () => {
  const lanes = new Map<string, WorkQueue>();
  // Nobody has more than a lane's width in it, so that everybody's turn comes.
  const all = createWorkQueue({
    concurrency: totalWidth,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxPerOwner: Number.POSITIVE_INFINITY,
    full,
  });

  const laneOf = (clientId: string): WorkQueue => {
    const lane =
      lanes.get(clientId) ??
      createWorkQueue({ concurrency: width, maxWaiting, maxPerOwner: Number.POSITIVE_INFINITY, full });
    lanes.set(clientId, lane);
    return lane;
  };

  return {
    /** Resolves when the work is done, or at once when too much waits for the client: then it is not done. */
    async run(clientId: string, work: () => Promise<void>): Promise<void> {
      const lane = laneOf(clientId);
      if (lane.waiting >= maxWaiting) return;
      try {
        await lane.run(clientId, () => all.run(clientId, work));
      } finally {
        if (lane.running === 0) lanes.delete(clientId);
      }
    },
  };
};
