/**
 * Reads that many ask for at once, done once. `fresh` answers what was read no earlier than the question: whoever asks
 * while one is under way shares the next. `running` is content with the one that is under way.
 */
export interface SingleFlight<T> {
  running(key: string): Promise<T>;
  fresh(key: string): Promise<T>;
  /** Let nobody who asks from now on share what is under way. */
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
    forget: (key) => {
      flights.delete(key);
    },
  };
};
