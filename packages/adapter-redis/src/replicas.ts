import type { Write } from '@carnet/adapter-contract';
import { type Deadline, millisecondsUntil } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { FollowUp } from './script.ts';

/** Writes that must not be undone when a replica replaces its master. */
export const takesBack = ({ type }: Write): boolean => type === 'remove' || type === 'consume' || type === 'revoke';

/**
 * Answers when so many replicas have what was sent, and all that was written before; throws when they do not in half
 * the
 * time there is, and then it may come back.
 */
export const awaitReplicas =
  (client: Redis, replicas: number, deadline: Deadline): FollowUp =>
  async (sent) => {
    // A timeout of 0 milliseconds waits without a limit.
    const milliseconds = Math.max(Math.floor(millisecondsUntil(deadline) / 2), 1);
    const [answer, having] = await Promise.all([sent, client.call('WAIT', [replicas, milliseconds])]);
    if (Number(having) < replicas)
      throw new Error(
        `Only ${having} of ${replicas} Redis replicas confirmed a removal in time: removed records may come back. Restart the missing replicas, or set the parameter replicas of the URL to as many as there are.`,
      );
    return answer;
  };
