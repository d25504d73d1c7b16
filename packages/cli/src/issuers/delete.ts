import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import { type Command, onlyOperand, UsageError } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { createProgress } from '../records/progress.ts';
import { scanPages } from '../records/scan-pages.ts';
import { removeRecords } from '../records/write-records.ts';
import { readConfiguredIssuers } from './configured-issuers.ts';
import { issuerName, withAllRecords } from './issuer-store.ts';

/** Removes all records of an issuer. After an interruption, the next call removes the rest. */
const removeAll = async (store: StorageAdapter, onProgress: (count: number) => void): Promise<number> => {
  let removed = 0;
  for await (const records of scanPages(store)) {
    await removeRecords(store, records);
    removed += records.length;
    onProgress(removed);
  }
  return removed;
};

export const issuersDelete: Command = {
  name: 'issuers delete',
  summary:
    'Remove all records of an issuer from the stores: its clients, keys, sessions, tokens and consents. It can be repeated after an interruption.',
  options: {
    yes: { type: 'boolean', short: 'y', summary: 'Confirm that data is lost.' },
    configured: { type: 'boolean', summary: 'Also if the issuer is configured. Stop all servers first.' },
    ...configOptions,
  },
  operands: '<name>',
  examples: ['carnet issuers delete former --yes --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const name = issuerName(onlyOperand(operands, 'name of an issuer. The first issuer has none, and is not deleted'));
    if (values.yes !== true) throw new UsageError('issuers delete loses data. Add --yes to do it.');
    if (values.configured !== true && readConfiguredIssuers(values, surface).named.has(name))
      throw new UsageError(
        `${name} is configured. Remove it from the configuration and restart all servers first, or add --configured.`,
      );
    const removed = await withAllRecords(values, surface, async (all) => {
      const store = bindAdapter(all, name);
      const onProgress = createProgress(surface, 'removed');
      let total = 0;
      // A process that has not been restarted may have written more meanwhile.
      for (let last = 1; last > 0; total += last) last = await removeAll(store, onProgress);
      return total;
    });
    surface.out(`${removed} records of ${name} removed.`);
    surface.out(
      'Not removed: expired records (the sweep removes them), users in its accounts database, and keys that a service holds.',
    );
  },
};
