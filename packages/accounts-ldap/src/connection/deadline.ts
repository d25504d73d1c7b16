/** The error of an operation that did not end before its deadline. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Rejects with a `TimeoutError` after the time, and calls `onTimeout`, so that the operation ends as well. */
export const withDeadline = async <T>(running: Promise<T>, timeoutMs: number, onTimeout: () => void): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new TimeoutError(`no answer within ${timeoutMs} ms`));
    onTimeout();
  }, timeoutMs);
  // After the deadline, no caller waits for the operation: its failure is ignored.
  running.catch(() => {});
  try {
    return await Promise.race([running, promise]);
  } finally {
    clearTimeout(timer);
  }
};
