import { setTimeout as pause } from 'node:timers/promises';
import { checkOut, type Deadline, NotSentError, type RunOptions } from '@carnet/adapter-contract/sql';
import type { Address, SharedPool } from './address.ts';
import { explain, isCollision, isLoss, wasNotRun } from './faults.ts';
import { openOwnPool } from './own-pool.ts';
import { type Answer, type Batch, runInTransaction } from './run-on.ts';

export interface Connections {
  /** Answers in the order of the statements. @throws StoreUnfitError if an operator must act */
  run(batch: Batch, options: RunOptions): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

const mostCollisions = 1;
const mostLosses = 2;

/** By chance, so that those who ran into each other do not again. */
const pauseBriefly = (deadline: Deadline): Promise<void> => deadline.within(pause(Math.random() * 20));

/**
 * Which failures are followed by another attempt. Law: what may have happened already is repeated only if that is
 * harmless.
 */
const createPatience = ({ isRepeatable, throwsCollisions = false }: RunOptions) => {
  let [collisions, losses] = [0, 0];
  return (error: unknown, wasSent: boolean): boolean => {
    if (error instanceof NotSentError) return false;
    if (isCollision(error)) {
      collisions += 1;
      return !throwsCollisions && collisions <= mostCollisions;
    }
    if (!isLoss(error)) return false;
    losses += 1;
    return losses <= mostLosses && (isRepeatable || !wasSent || wasNotRun(error));
  };
};

/** The pool, ours or that of the app. No connection is made before the first statement. */
export const openConnections = (address: Address | SharedPool): Connections => {
  const isShared = 'pool' in address;
  const { pool, runOn } = isShared ? { pool: address.pool, runOn: runInTransaction } : openOwnPool(address);
  let ended: Promise<void> | undefined;

  return {
    async run(batch, options) {
      const { deadline } = options;
      const mayRepeat = createPatience(options);
      for (;;) {
        let wasSent = false;
        try {
          const connection = await checkOut(pool.getConnection(), options);
          wasSent = true;
          return await runOn(connection, batch, deadline);
        } catch (error) {
          const isOver = ended !== undefined || deadline.isOver;
          if (isOver || !mayRepeat(error, wasSent)) throw explain(error);
          await pauseBriefly(deadline);
        }
      }
    },
    close() {
      ended ??= isShared ? Promise.resolve() : pool.end();
      return ended;
    },
  };
};
