import { startSweeping } from '../storage/sweep.ts';
import type { Foundation } from './foundation.ts';

/** Removes expired records, in the interval of the configuration. */
export const startSweeper = ({ config, adapter, logger }: Foundation): ReturnType<typeof startSweeping> =>
  startSweeping(adapter, {
    intervalSeconds: config.storage.sweepSeconds,
    report: (outcome) => {
      if ('error' in outcome) logger.warn({ err: outcome.error }, 'sweep failed');
      else if (outcome.removed > 0) logger.info(outcome, 'sweep');
    },
  });
