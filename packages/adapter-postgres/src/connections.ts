import { setTimeout as pause } from 'node:timers/promises';
import { checkOut, type Deadline, NotSentError, type RunOptions } from '@carnet/adapter-contract/sql';
import type { Address, SharedPool } from './address.ts';
import { explain, isCollision, isLoss, isStale } from './faults.ts';
import { openRoutes, type Route } from './routes.ts';
import type { Prepared, Rows } from './run-on.ts';

export interface Connections {
  /** Returns the rows as arrays. @throws StoreUnfitError if an operator must act */
  run(prepared: Prepared, options: RunOptions): Promise<Rows>;
  close(): Promise<void>;
}

const mostLosses = 2;

/** Twice as long each time, by chance, so that those who ran into each other do not again. */
const pauseAfter = (attempt: number, deadline: Deadline): Promise<void> =>
  deadline.within(pause(Math.random() * Math.min(2 ** attempt, 100)));

/**
 * Which failures are followed by another attempt. Law: what may have happened already is repeated only if that is
 * harmless.
 */
const createPatience = ({ isRepeatable, throwsCollisions = false }: RunOptions) => {
  let losses = 0;
  return (error: unknown, wasSent: boolean): boolean => {
    if (error instanceof NotSentError) return false;
    if (isCollision(error)) return !throwsCollisions;
    if (!isStale(error) && !isLoss(error)) return false;
    losses += 1;
    return losses <= mostLosses && (isRepeatable || !wasSent || isStale(error));
  };
};

/**
 * The pool, ours or that of the app, and what may go wrong on the way to the server. No connection is made before the
 * first statement.
 */
export const openConnections = (address: Address | SharedPool): Connections => {
  const { first, close } = openRoutes(address);
  let route = first;
  let ended: Promise<void> | undefined;

  /** Whether there is another route. All calls take it from then on. */
  const takesDetour = (from: Route, error: unknown): boolean => {
    const detour = from.detour(error);
    // A call that began on an earlier route may have learned less.
    if (detour !== undefined && route === from) route = detour;
    return detour !== undefined;
  };

  return {
    async run(prepared, options) {
      const { deadline } = options;
      const mayRepeat = createPatience(options);
      for (let attempt = 1; ; attempt++) {
        const taken = route;
        let wasSent = false;
        try {
          const client = await checkOut(taken.pool.connect(), options);
          wasSent = true;
          return await taken.runOn(client, prepared, deadline);
        } catch (error) {
          const isOver = ended !== undefined || deadline.isOver;
          if (!isOver && takesDetour(taken, error)) continue;
          if (isOver || !mayRepeat(error, wasSent)) throw explain(error);
          await pauseAfter(attempt, deadline);
        }
      }
    },
    close() {
      ended ??= close();
      return ended;
    },
  };
};
