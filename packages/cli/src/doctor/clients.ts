import type { StorageAdapter } from '@carnet/adapter-contract';
import { fromStoredRecord, warningsOf } from '@carnet/provider/clients';
import { openStores } from '@carnet/provider/storage';
import { type Check, type Finding, ok, warn } from './check.ts';

const pageSize = 500;
/** Only the first 20,000 clients are read, so that the check takes seconds. */
const maxPages = 40;
const maxFindings = 50;

interface Found {
  readonly count: number;
  readonly isAll: boolean;
  readonly findings: readonly Finding[];
}

const readClients = async (adapter: Pick<StorageAdapter, 'list'>): Promise<Found> => {
  const findings: Finding[] = [];
  let count = 0;
  let after: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const { records, next } = await adapter.list({ kind: 'client', limit: pageSize, after });
    count += records.length;
    for (const { id, metadata } of records.map(fromStoredRecord)) {
      for (const warning of warningsOf(metadata))
        findings.push(warn(`${JSON.stringify(id)}: ${warning}`, 'Change the client: `carnet help update client`.'));
    }
    after = next;
    if (after === undefined) return { count, isAll: true, findings };
  }
  return { count, isAll: false, findings };
};

/** Warns of redirect URIs and grant types of clients that have no effect. */
export const clients: Check = {
  name: 'clients',
  run: async ({ config }) => {
    // The check `store` reports a store that can't be opened.
    const opened = await openStores(config.storage).catch(() => undefined);
    if (opened === undefined) return [];
    try {
      const { count, isAll, findings } = await readClients(opened.stores.clients);
      const total = ok(`${count} read${isAll ? '' : ' (there are more)'}, ${findings.length} warnings`);
      return [total, ...findings.slice(0, maxFindings)];
    } finally {
      await opened.close();
    }
  },
};
