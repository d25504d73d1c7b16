import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import { configuredClients, fromStoredRecord, warningsOf } from '@carnet/provider/clients';
import type { Config } from '@carnet/provider/config';
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

/** The warnings of the clients of the configuration. */
const configuredFindings = (clients: Config['clients']): readonly Finding[] =>
  configuredClients(clients, []).flatMap(({ id, metadata }) =>
    warningsOf(metadata).map((warning) =>
      warn(`${JSON.stringify(id)}: ${warning}`, `Change ${metadata.configuration_key} of the configuration.`),
    ),
  );

const shadowed = (id: string): Finding =>
  warn(
    `${JSON.stringify(id)} is in the store and in the configuration`,
    'The stored client has no effect: the one of the configuration is used. Tokens that were issued to the stored one are invalid.',
  );

const readClients = async (adapter: Pick<StorageAdapter, 'list'>, configured: ReadonlySet<string>): Promise<Found> => {
  const findings: Finding[] = [];
  let count = 0;
  let after: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const { records, next } = await adapter.list({ kind: 'client', limit: pageSize, after });
    count += records.length;
    for (const { id, metadata } of records.map(fromStoredRecord)) {
      if (configured.has(id)) findings.push(shadowed(id));
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
  run: async ({ config, issuerName }) => {
    // The check `store` reports a store that can't be opened.
    const opened = await openStores(config.storage).catch(() => undefined);
    if (opened === undefined) return [];
    try {
      const ids = new Set(config.clients.map(({ client_id: id }) => id));
      const {
        count,
        isAll,
        findings: inStore,
      } = await readClients(bindAdapter(opened.stores.clients, issuerName), ids);
      const findings = [...configuredFindings(config.clients), ...inStore];
      const places = `${count} read from the store${isAll ? '' : ' (there are more)'}, ${ids.size} in the configuration`;
      const total = ok(`${places}, ${findings.length} warnings`);
      return [total, ...findings.slice(0, maxFindings)];
    } finally {
      await opened.close();
    }
  },
};
