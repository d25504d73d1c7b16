/** An operation took longer than it may. */
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
  // After the deadline, the failure of the operation itself reaches no caller.
  running.catch(() => {});
  try {
    return await Promise.race([running, promise]);
  } finally {
    clearTimeout(timer);
  }
};
