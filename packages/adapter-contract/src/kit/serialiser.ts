/** Runs the work on one key in order: each begins when the work before it has ended, successfully or not. */
export type Serialiser = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export const createSerialiser = (): Serialiser => {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    tails.set(key, result);
    const forget = () => {
      if (tails.get(key) === result) tails.delete(key);
    };
    result.then(forget, forget);
    return result;
  };
};
