/** An instant of the monotonic clock, in milliseconds. */
export type Deadline = number;

export const deadlineIn = (milliseconds: number): Deadline => performance.now() + milliseconds;

export const millisecondsUntil = (deadline: Deadline): number => Math.max(deadline - performance.now(), 0);

/** There was no answer in time: the request may have been carried out, or may be carried out later. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The same promise, but it rejects when the deadline has passed. */
export const within = async <T>(deadline: Deadline, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new TimeoutError('There was no answer in time.'));
    timer = setTimeout(expire, millisecondsUntil(deadline));
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};
