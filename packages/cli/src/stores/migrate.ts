import type { Migrator } from '@carnet/adapter-contract';
import { openAccountsMigrator } from '@carnet/provider/accounts';
import { type Config, isTree, redactUrl } from '@carnet/provider/config';
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

type Migrators = Map<string, Pick<Migrator, 'up' | 'status' | 'down' | 'close'>>;

/** The migrators of all stores and of the accounts databases of all issuers, by URL. */
const openAll = async (storage: StorageConfig, ofIssuers: readonly Config['accounts'][]): Promise<Migrators> => {
  const opened: Migrators = new Map(await openMigrators(storage));
  try {
    for (const accounts of ofIssuers) {
      // A database can be both: the tables of the accounts have names of their own.
      const title = `${accounts?.database} (accounts)`;
      const migrator = opened.has(title) ? undefined : await openAccountsMigrator({ accounts });
      if (migrator !== undefined) opened.set(title, migrator);
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
};

/** The section `accounts` of the first issuer, and of those that have one of their own. */
const accountsOfAll = (values: Values, surface: Surface): readonly Config['accounts'][] => {
  const { accounts, issuers = {} } = loadPartsFromCommandLine(values, surface, ['accounts', 'issuers']);
  const own = Object.entries(issuers).filter(([, settings]) => isTree(settings) && settings.accounts !== undefined);
  const further = own.map(([issuer]) => loadPartsFromCommandLine({ ...values, issuer }, surface, ['accounts']));
  return [accounts, ...further.map((each) => each.accounts)];
};

/** Prints the URL of each configured store that has a schema, and runs `work` on it. */
const eachStore = async (values: Values, surface: Surface, work: Work): Promise<ExitCode | undefined> => {
  const { storage } = loadPartsFromCommandLine(values, surface, ['storage', 'accounts']);
  const migrators = await openAll(storage, accountsOfAll(values, surface));
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
