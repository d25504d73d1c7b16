import { DirectoryError } from '@carnet/accounts/directory';
import { proofLifetimeMs } from '@carnet/accounts/store';
import type { Migrator } from '@carnet/adapter-contract';
import { Kysely, sql } from 'kysely';
import { type Address, parseAddress } from './address.ts';
import { createMigrator } from './migrator.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/**
 * The database of users, second factors, attempts, used links and cached users. Every failure, in each function that uses
 * it, is a `DirectoryError` with the code `unavailable`.
 */
export interface AccountsDatabase {
  /** Each commit survives a power failure, so that a used code or link cannot be used again. */
  readonly tables: Kysely<Schema>;
  /** The same tables, without waiting for the disk in SQLite: for counts and caches, whose last writes may be lost. */
  readonly counters: Kysely<Schema>;
  /** @throws DirectoryError `unavailable`, with the remedy */
  ping(): Promise<void>;
  /** Deletes expired rows. Returns how many. It also runs every five minutes. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `sqlite:<path>` or `postgres://...`. See `parseAddress` for the parameters. */
  readonly url: string;
  /** Whether the missing steps of the schema are applied at open. SQLite always applies them. Default false. */
  readonly migrate?: boolean;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const openTables = (address: Address, isForMigration = false): Kysely<Schema> =>
  new Kysely<Schema>({
    dialect: address.engine === 'sqlite' ? sqliteDialect(address, 'full') : postgresDialect(address, isForMigration),
  });

/** The tables for counts and caches. On Postgres they use the same connections. */
const openCounters = (address: Address, tables: Kysely<Schema>): Kysely<Schema> =>
  address.engine === 'sqlite' ? new Kysely<Schema>({ dialect: sqliteDialect(address, 'normal') }) : tables;

const unfit = (message: string): DirectoryError => new DirectoryError('unavailable', 'accounts', message);

const assertMigrated = async ({ status }: Migrator): Promise<void> => {
  const missing = (await status()).filter(({ appliedAt }) => appliedAt === null).map(({ name }) => name);
  if (missing.length > 0)
    throw unfit(`The accounts database lacks the steps ${missing.join(', ')}. Run \`carnet migrate up\`.`);
};

const assertSettings = async (tables: Kysely<Schema>): Promise<void> => {
  const { rows } = await sql<{ encoding: string; commits: string; read_only: string }>`
    select current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commits,
      current_setting('transaction_read_only') as read_only`.execute(tables);
  const [settings] = rows;
  if (settings?.encoding !== 'UTF8')
    throw unfit('The accounts database must have the encoding UTF8. Create a new database.');
  if (settings.read_only === 'on') throw unfit('Postgres is read-only: the URL must name the primary.');
  // A used code could be used again after a crash of Postgres.
  if (settings.commits === 'off')
    throw unfit(
      'Postgres acknowledges commits before they are on disk. Set synchronous_commit to on for the user of the Postgres URL.',
    );
};

const migrateAtOpen = async (address: Address): Promise<void> => {
  const migrator = createMigrator(openTables(address, true), address.engine);
  try {
    await migrator.up();
  } finally {
    await migrator.close();
  }
};

const sweepIntervalMs = 5 * 60_000;

/** How much longer a claim is kept than its sealed link or challenge is valid, because the clocks of processes differ. */
const clockDifferenceMs = 10 * 60_000;

/** Deletes expired claims, links, unlinked identities, attempts and cached users. Returns how many. */
const sweepExpired = async (tables: Kysely<Schema>, now: number): Promise<number> => {
  const swept = [
    await tables
      .deleteFrom('carnet_claim')
      .where('expires_at', '<', now - clockDifferenceMs)
      .executeTakeFirst(),
    await tables.deleteFrom('carnet_link').where('expires_at', '<', now).executeTakeFirst(),
    await tables
      .deleteFrom('carnet_identity')
      .where('unlinked_at', '<', now - proofLifetimeMs - clockDifferenceMs)
      .executeTakeFirst(),
    await tables.deleteFrom('carnet_attempt').where('reset_at', '<', now).executeTakeFirst(),
    await tables.deleteFrom('carnet_cached_user').where('expires_at', '<', now).executeTakeFirst(),
  ];
  return swept.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
};

/** @throws DirectoryError `invalid_configuration` if the URL cannot be used, `unavailable` if the migration fails */
export const openAccountsDatabase = async (options: DatabaseOptions): Promise<AccountsDatabase> => {
  const { url, migrate = false, now = Date.now } = options;
  const address = parseAddress(url);
  if (migrate || address.engine === 'sqlite') await migrateAtOpen(address);
  const tables = openTables(address);
  const counters = openCounters(address, tables);
  const migrator = createMigrator(tables, address.engine);
  const sweep = () => sweepExpired(tables, now());
  // The next sweep repeats a failed one. `ping` reports the outage.
  const timer = setInterval(() => void sweep().catch(() => {}), sweepIntervalMs).unref();
  return {
    tables,
    counters,
    async ping() {
      await assertMigrated(migrator);
      await tables.selectFrom('carnet_user').select('id').limit(1).execute();
      if (address.engine === 'postgres') await assertSettings(tables);
    },
    sweep,
    async close() {
      clearInterval(timer);
      await tables.destroy();
      if (counters !== tables) await counters.destroy();
    },
  };
};

/** Changes nothing until `up` or `down` is called. */
export const openAccountsMigrator = async ({ url }: Pick<DatabaseOptions, 'url'>): Promise<Migrator> => {
  const address = parseAddress(url);
  return createMigrator(openTables(address, true), address.engine);
};
