/** An instant of the monotonic clock, in milliseconds. */
export type Deadline = number;

export const deadlineIn = (milliseconds: number): Deadline => performance.now() + milliseconds;

export const millisecondsUntil = (deadline: Deadline): number => Math.max(deadline - performance.now(), 0);

/** Redis did not answer in time: what it was asked may have been done, or may be done yet. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The same promise, but it rejects when the deadline has passed. */
export const within = async <T>(deadline: Deadline, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new TimeoutError('Redis did not answer in time.'));
    timer = setTimeout(expire, millisecondsUntil(deadline));
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};
