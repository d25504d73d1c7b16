/** An instant of the monotonic clock, in milliseconds. */
export type Deadline = number;

export const deadlineIn = (milliseconds: number): Deadline => performance.now() + milliseconds;

/** Redis did not answer in time: what it was asked may have been done, or may be done yet. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The same promise, but it rejects when the deadline has passed. */
export const within = async <T>(deadline: Deadline, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const left = Math.max(deadline - performance.now(), 0);
    timer = setTimeout(() => reject(new TimeoutError('Redis did not answer in time.')), left);
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};
