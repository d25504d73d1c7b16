/** Shares one read among callers that ask for the same key at the same time. */
export interface SingleFlight<T> {
  /** Joins a read in progress, or starts one. */
  running(key: string): Promise<T>;
  /** Joins only a read that starts after this call, so that the result is no older than the call. */
  fresh(key: string): Promise<T>;
  /** Later calls do not join the read in progress. */
  forget(key: string): void;
}

interface Flight<T> {
  readonly current: Promise<T>;
  next?: Promise<T>;
}

export const createSingleFlight = <T>(read: (key: string) => Promise<T>): SingleFlight<T> => {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string): Promise<T> => {
    const flight: Flight<T> = {
      current: read(key).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      }),
    };
    flights.set(key, flight);
    return flight.current;
  };

  return {
    running: (key) => flights.get(key)?.current ?? start(key),
    fresh: (key) => {
      const flight = flights.get(key);
      if (flight === undefined) return start(key);
      const restart = () => start(key);
      flight.next ??= flight.current.then(restart, restart);
      return flight.next;
    },
    forget: (key) => void flights.delete(key),
  };
};
