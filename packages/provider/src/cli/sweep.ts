import { composeStores } from '../storage/compose.ts';
import { openStores } from '../storage/open-storage.ts';
import { sweepBatches } from '../storage/sweep.ts';
import { type Command, exitCodes } from './command.ts';
import { configOptions, loadStorageFromCommandLine } from './load.ts';

/** How often a long sweep says how far it is. Milliseconds. */
const progressMs = 5_000;

export const sweep: Command = {
  name: 'sweep',
  summary: 'Remove the expired records of every store now, all of them.',
  options: configOptions,
  run: async (values, surface) => {
    const storage = loadStorageFromCommandLine(values, surface);
    const { stores, close } = await openStores(storage);
    try {
      let toldAt = performance.now();
      const { removed, left } = await sweepBatches(composeStores(stores), {
        onBatch: (total) => {
          if (performance.now() - toldAt < progressMs) return;
          toldAt = performance.now();
          surface.err(`${total.removed} removed, ${total.left === 10_000 ? 'at least 10000' : total.left} left`);
        },
      });
      surface.out(`${removed} removed, ${left} left`);
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};
