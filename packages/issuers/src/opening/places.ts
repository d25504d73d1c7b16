import { CarnetError } from '@carnet/provider/config';

export interface PlacesOptions {
  readonly most: number;
  /** Begins to free a place, if one can be freed now. */
  readonly makeRoom: () => void;
  /** How long `take` waits for a place. */
  readonly waitMs: number;
}

const busy = (): CarnetError =>
  new CarnetError('too_busy', 'All issuers that this process may keep open are in use. Try again later.');

/** A limited number of places. Those who wait get one in their order. */
export const createPlaces = ({ most, makeRoom, waitMs }: PlacesOptions) => {
  const waiting = new Set<() => void>();
  let taken = 0;
  return {
    /** @throws CarnetError `too_busy` */
    take: (): Promise<void> => {
      if (taken < most) {
        taken += 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(go);
          reject(busy());
        }, waitMs);
        const go = (): void => {
          clearTimeout(timer);
          resolve();
        };
        waiting.add(go);
        makeRoom();
      });
    },
    /** The place of one that has ended goes to the first that waits. */
    free: (): void => {
      const [first] = waiting;
      if (first === undefined) {
        taken -= 1;
        return;
      }
      waiting.delete(first);
      first();
    },
    isWanted: (): boolean => waiting.size > 0,
  };
};
