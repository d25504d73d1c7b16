import type { Migrator } from '@carnet/adapter-contract';
import { openAccountsMigrator } from '@carnet/provider/accounts';
import { type Config, redactUrl } from '@carnet/provider/config';
import { closeAll, openMigrators, type StorageConfig } from '@carnet/provider/storage';
import { type Command, type ExitCode, exitCodes, type Surface, UsageError, type Values } from '../command.ts';
import { configOptions, loadPartsFromCommandLine } from '../config/command-line.ts';

/** An option that scripts for Hydra pass. It has no effect: the environment is always read. */
export const fromEnv = {
  'read-from-env': {
    type: 'boolean',
    short: 'e',
    summary: 'Accepted for scripts of Hydra, without effect: the environment is always read.',
  },
} as const;

const migrateOptions = { ...configOptions, ...fromEnv };
const upOptions = {
  ...migrateOptions,
  yes: {
    type: 'boolean',
    short: 'y',
    summary: 'Accepted for scripts of Hydra, without effect: there is no question to confirm.',
  },
} as const;

type Work = (migrator: Pick<Migrator, 'up' | 'status' | 'down'>, out: Surface['out']) => Promise<ExitCode | undefined>;

/** The migrators of all stores and of the accounts database, by URL. */
const openAll = async (
  storage: StorageConfig,
  accounts: Config['accounts'],
): Promise<ReadonlyMap<string, Pick<Migrator, 'up' | 'status' | 'down' | 'close'>>> => {
  const ofStores = await openMigrators(storage);
  try {
    const ofAccounts = await openAccountsMigrator({ accounts });
    if (ofAccounts === undefined || accounts?.database === undefined) return ofStores;
    // A database can be both: the tables of the accounts have names of their own.
    return new Map([...ofStores, [`${accounts.database} (accounts)`, ofAccounts]]);
  } catch (error) {
    await closeAll(ofStores);
    throw error;
  }
};

/** Prints the URL of each configured store that has a schema, and runs `work` on it. */
const eachStore = async (values: Values, surface: Surface, work: Work): Promise<ExitCode | undefined> => {
  const { storage, accounts } = loadPartsFromCommandLine(values, surface, ['storage', 'accounts']);
  const migrators = await openAll(storage, accounts);
  if (migrators.size === 0) surface.out('No store has a schema.');
  let outcome: ExitCode | undefined;
  for (const [url, migrator] of migrators) {
    try {
      surface.out(redactUrl(url));
      outcome = (await work(migrator, surface.out)) ?? outcome;
    } finally {
      await migrator.close();
    }
  }
  return outcome;
};

const up: Work = async (migrator, out) => {
  const applied = await migrator.up();
  for (const name of applied) out(`  applied  ${name}`);
  if (applied.length === 0) out('  up to date');
};

const status: Work = async (migrator, out) => {
  const migrations = await migrator.status();
  for (const { name, appliedAt } of migrations) out(`  ${appliedAt?.toISOString() ?? 'missing'.padEnd(24)}  ${name}`);
  return migrations.some(({ appliedAt }) => appliedAt === null) ? exitCodes.failed : undefined;
};

const down: Work = async (migrator, out) => {
  const undone = await migrator.down();
  out(undone === undefined ? '  nothing to undo' : `  undone      ${undone}`);
};

export const migrateUpCommand: Command = {
  name: 'migrate up',
  aliases: ['migrate sql', 'migrate sql up'],
  summary: 'Bring the schema of every store up to date. Running it several times at once is safe.',
  options: upOptions,
  examples: ['DATABASE_URL=sqlite:carnet.db carnet migrate up'],
  run: (values, surface) => eachStore(values, surface, up),
};

export const migrateStatus: Command = {
  name: 'migrate status',
  aliases: ['migrate sql status'],
  summary: 'List the steps of every schema and when they were applied. Exit code 1 when one is missing.',
  options: migrateOptions,
  examples: ['DATABASE_URL=sqlite:carnet.db carnet migrate status'],
  run: (values, surface) => eachStore(values, surface, status),
};

export const migrateDown: Command = {
  name: 'migrate down',
  aliases: ['migrate sql down'],
  summary: 'Undo the last step of every schema. The data in its tables and columns is lost.',
  options: {
    ...configOptions,
    ...fromEnv,
    yes: { type: 'boolean', short: 'y', summary: 'Confirm that data is lost.' },
  },
  examples: ['DATABASE_URL=sqlite:carnet.db carnet migrate down --yes'],
  run: (values, surface) => {
    if (values.yes !== true) throw new UsageError('migrate down loses data. Add --yes to do it.');
    return eachStore(values, surface, down);
  },
};
