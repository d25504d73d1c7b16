/** Runs something after so many milliseconds, and nothing any more once the signal has come. Keeps no process alive. */
export const createTimers = (stopped: AbortSignal): ((ms: number, work: () => Promise<void>) => void) => {
  const timers = new Set<NodeJS.Timeout>();
  stopped.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  return (ms, work) => {
    if (stopped.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, ms);
    timer.unref();
    timers.add(timer);
  };
};
