import type { OpenAdapter } from '@carnet/adapter-contract';
import { openPostgresAdapter } from './postgres-adapter.ts';

export { openMigrator } from './migrator.ts';
export { openPostgresAdapter, type PostgresAdapterOptions } from './postgres-adapter.ts';

/** Open the store at a URL `postgres://user:password@host:5432/database`; the README lists its parameters. */
export const openAdapter: OpenAdapter = async ({ url }) => openPostgresAdapter({ url });
