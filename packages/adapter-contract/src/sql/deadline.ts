/** The call had timed out before there was a connection: it was not sent. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** How long a call may take, all its attempts together. */
export interface Deadline {
  readonly isOver: boolean;
  /** Settles like `work` if it settles in time; else calls `release` and throws. One call at a time. */
  within<T>(work: Promise<T>, release?: () => void): Promise<T>;
}

const createDeadline = (timeoutMs: number) => {
  let isOver = false;
  let pass = () => {};
  const timer = setTimeout(() => {
    isOver = true;
    pass();
  }, timeoutMs);

  /** A settled result is never released. */
  const inTime =
    <T>(settle: (outcome: T) => void) =>
    (outcome: T) => {
      pass = () => {};
      settle(outcome);
    };

  const deadline: Deadline = {
    get isOver() {
      return isOver;
    },
    within: (work, release) =>
      new Promise((resolve, reject) => {
        pass = () => {
          release?.();
          reject(new Error(`The database did not answer within ${timeoutMs} ms.`));
        };
        if (isOver) pass();
        work.then(inTime(resolve), inTime(reject));
      }),
  };
  return { deadline, stop: () => clearTimeout(timer) };
};

/** Runs `work` with its own deadline. */
export const withDeadline = async <T>(timeoutMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> => {
  const { deadline, stop } = createDeadline(timeoutMs);
  try {
    return await work(deadline);
  } finally {
    stop();
  }
};
