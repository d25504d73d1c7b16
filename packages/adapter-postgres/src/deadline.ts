/** How long a call may take, all its attempts together. */
export interface Deadline {
  readonly isOver: boolean;
  /** The same outcome if it comes in time; else it is let go, and this throws. One at a time. */
  within<T>(work: Promise<T>, letGo?: () => void): Promise<T>;
}

const createDeadline = (timeoutMs: number) => {
  let isOver = false;
  let pass = () => {};
  const timer = setTimeout(() => {
    isOver = true;
    pass();
  }, timeoutMs);

  /** Nothing is let go that has come. */
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
    within: (work, letGo) =>
      new Promise((resolve, reject) => {
        pass = () => {
          letGo?.();
          reject(new Error(`Postgres did not answer within ${timeoutMs} ms.`));
        };
        if (isOver) pass();
        work.then(inTime(resolve), inTime(reject));
      }),
  };
  return { deadline, stop: () => clearTimeout(timer) };
};

/** Run with a deadline of its own. */
export const withDeadline = async <T>(timeoutMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> => {
  const { deadline, stop } = createDeadline(timeoutMs);
  try {
    return await work(deadline);
  } finally {
    stop();
  }
};
