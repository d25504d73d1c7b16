import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import { composeStores } from '../storage/compose.ts';
import { openStores } from '../storage/open-storage.ts';
import { sweepBatches } from '../storage/sweep.ts';
import { type Command, exitCodes } from './command.ts';
import { configOptions, loadStorageFromCommandLine } from './load.ts';

/** How often a long sweep says how far it is. Milliseconds. */
const progressMs = 5_000;

const outcomeOf = ({ removed, left }: Swept): string =>
  `${removed} removed, ${left === mostLeftCounted ? 'at least ' : ''}${left} left`;

export const sweep: Command = {
  name: 'sweep',
  summary: 'Remove the expired records of every store now, all of them.',
  options: configOptions,
  run: async (values, surface) => {
    const storage = loadStorageFromCommandLine(values, surface);
    const { stores, close } = await openStores(storage);
    try {
      let toldAt = performance.now();
      const total = await sweepBatches(composeStores(stores), {
        onBatch: (soFar) => {
          if (performance.now() - toldAt < progressMs) return;
          toldAt = performance.now();
          surface.err(outcomeOf(soFar));
        },
      });
      surface.out(outcomeOf(total));
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};
