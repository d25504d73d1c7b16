import { type Deadline, type Retries, repeat as repeatBy } from '@carnet/adapter-contract/kit';
import { isCollision, isOutage } from './faults.ts';

/** Repeats the work after errors of Datastore that may pass, as long as the deadline allows. Default: after all of them. */
export const repeat = <T>(
  work: () => Promise<T>,
  deadline: Deadline,
  retries: Retries = { isCollision, isOutage },
): Promise<T> => repeatBy(work, deadline, retries);
