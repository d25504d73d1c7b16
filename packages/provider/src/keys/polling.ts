/** Work that is repeated until `stop`, one run after the other. */
export interface Polling {
  /** Runs earlier than planned, in a second. */
  soon(): void;
  stop(): void;
}

const soonMs = 1_000;

/** @param delayMs the pause before the next run */
export const startPolling = (work: () => Promise<void>, delayMs: () => number): Polling => {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isSoon = false;

  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(run, isSoon ? soonMs : delayMs());
    timer.unref();
  };
  const run = (): void => {
    timer = undefined;
    isSoon = false;
    void work().finally(schedule);
  };
  schedule();

  return {
    soon() {
      if (isSoon) return;
      isSoon = true;
      // While it runs, the next run is planned at its end.
      if (timer === undefined) return;
      clearTimeout(timer);
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
