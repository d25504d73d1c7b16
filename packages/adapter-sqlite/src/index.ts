import type { OpenAdapter } from '@carnet/adapter-contract';
import { openSqliteAdapter } from './sqlite-adapter.ts';

export { openMigrator } from './migrator.ts';
export { openSqliteAdapter, type SqliteAdapterOptions } from './sqlite-adapter.ts';

/** Open a file, created and migrated if need be: `sqlite:carnet.db`. */
export const openAdapter: OpenAdapter = ({ url }) => openSqliteAdapter({ url });
