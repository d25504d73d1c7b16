import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import type { Command } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { outputOptions, show } from '../output.ts';
import { readConfiguredIssuers } from './configured-issuers.ts';
import { createProgress, withAllRecords } from './issuer-store.ts';
import { issuersInLists, issuersInRecords } from './names-in-store.ts';

interface ListedIssuer {
  /** Absent: the first issuer. */
  readonly name?: string;
  /** Its URL. Absent: it is not configured. */
  readonly issuer?: string;
  readonly clients: number;
  readonly keys: number;
}

const count = async (store: StorageAdapter, kind: 'client' | 'key'): Promise<number> => {
  let total = 0;
  for (let after: string | undefined; ; ) {
    const { records, next } = await store.list({ kind, limit: 500, after });
    total += records.length;
    if (next === undefined) return total;
    after = next;
  }
};

const listed = async (
  all: StorageAdapter,
  name: string | undefined,
  issuer: string | undefined,
): Promise<ListedIssuer> => {
  const store = bindAdapter(all, name);
  const [clients, keys] = [await count(store, 'client'), await count(store, 'key')];
  return { ...(name !== undefined && { name }), ...(issuer !== undefined && { issuer }), clients, keys };
};

export const issuersList: Command = {
  name: 'issuers list',
  summary:
    'Show the configured issuers with the numbers of their clients and keys in the store, and issuers in the store that are not configured.',
  options: {
    scan: {
      type: 'boolean',
      summary:
        'Read every record, to find issuers that are not configured and have neither clients nor keys in the store.',
    },
    ...configOptions,
    ...outputOptions,
  },
  examples: ['carnet issuers list --config carnet.yaml', 'carnet issuers list --config carnet.yaml --format json'],
  run: async (values, surface) => {
    const { first, named } = readConfiguredIssuers(values, surface);
    const issuers = await withAllRecords(values, surface, async (store) => {
      const found = values.scan
        ? await issuersInRecords(store, createProgress(surface, 'read'))
        : await issuersInLists(store);
      const others = found.filter((name) => !named.has(name)).map((name) => [name, undefined] as const);
      const rows: ListedIssuer[] = [await listed(store, undefined, first)];
      for (const [name, issuer] of [...named, ...others]) rows.push(await listed(store, name, issuer));
      return rows;
    });
    await show(values, surface, {
      body: issuers,
      headers: ['NAME', 'ISSUER', 'CLIENTS', 'KEYS'],
      rows: issuers.map(({ name = '(first)', issuer = '(not configured)', clients, keys }) => [
        name,
        issuer,
        String(clients),
        String(keys),
      ]),
      ids: issuers.flatMap(({ name }) => name ?? []),
      isList: true,
    });
  },
};
