import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import { composeStores, openStores, sweepBatches } from '@carnet/provider/storage';
import type { Command } from '../command.ts';
import { configOptions, loadPartsFromCommandLine } from '../config/command-line.ts';
import { fromEnv } from './migrate.ts';

/** How often a long sweep reports its progress, in milliseconds. */
const progressMs = 5_000;

const outcomeOf = ({ removed, left }: Swept): string =>
  `${removed} removed, ${left === mostLeftCounted ? 'at least ' : ''}${left} left`;

/** Options that scripts for Hydra pass. They have no effect: a sweep removes every expired record. */
const hydraOptions = {
  ...fromEnv,
  tokens: {
    type: 'boolean',
    summary: 'Accepted for scripts of Hydra, without effect: every expired record is removed.',
  },
  requests: { type: 'boolean', summary: 'Like --tokens.' },
  grants: { type: 'boolean', summary: 'Like --tokens.' },
} as const;

export const sweep: Command = {
  name: 'sweep',
  aliases: ['janitor'],
  summary: 'Remove all expired records from every store now.',
  options: { ...configOptions, ...hydraOptions },
  examples: ['DATABASE_URL=sqlite:carnet.db carnet sweep', 'DATABASE_URL=sqlite:carnet.db carnet janitor -e --tokens'],
  run: async (values, surface) => {
    const { storage } = loadPartsFromCommandLine(values, surface, ['storage']);
    const { stores, close } = await openStores(storage);
    try {
      let reportedAt = performance.now();
      const total = await sweepBatches(composeStores(stores), {
        onBatch: (soFar) => {
          if (performance.now() - reportedAt < progressMs) return;
          reportedAt = performance.now();
          surface.err(outcomeOf(soFar));
        },
      });
      surface.out(outcomeOf(total));
    } finally {
      await close();
    }
  },
};
