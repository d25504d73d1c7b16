import { StoreUnfitError } from '@carnet/adapter-contract';
import { readOnlyServer } from './faults.ts';
import { stepNames } from './migrations/step-names.ts';
import { type Answer, type Batch, leastPacketBytes } from './run-on.ts';

const settings = [
  'autocommit',
  'binlog_format',
  'character_set_results',
  'completion_type',
  'innodb_flush_log_at_trx_commit',
  'innodb_read_only',
  'log_bin',
  'max_allowed_packet',
  'read_only',
  'sql_mode',
  'super_read_only',
  'sync_binlog',
  'transaction_isolation',
  'tx_isolation',
  'wsrep_on',
  'wsrep_sync_wait',
] as const;

const noRow = 'where 1 = 0';

/** The last three change nothing: the server refuses them to a user who lacks the right. */
export const pingBatch: Batch = {
  isTransaction: false,
  statements: [
    `show session variables where variable_name in (${settings.map((name) => `'${name}'`).join(', ')})`,
    'select name from carnet_migration',
    `insert into carnet_record select * from carnet_record ${noRow}`,
    `update carnet_record set payload = payload ${noRow}`,
    `delete from carnet_record ${noRow}`,
  ],
};

type Values = Readonly<Partial<Record<(typeof settings)[number], string>>>;

interface Requirement {
  isMet(values: Values): boolean;
  /** The problem and its remedy. */
  readonly says: string;
}

const isOff = (value: string | undefined): boolean => value === undefined || value === 'OFF' || value === '0';

/** A setting that a server does not have is not checked. */
const requirements: readonly Requirement[] = [
  {
    isMet: (values) => [values.read_only, values.super_read_only, values.innodb_read_only].every(isOff),
    says: readOnlyServer,
  },
  {
    // Used codes could be used again after a crash of the machine.
    isMet: ({ innodb_flush_log_at_trx_commit: flush = '1' }) => flush === '1',
    says: 'The server answers before a commit is on its disk. Set innodb_flush_log_at_trx_commit to 1.',
  },
  {
    // After a crash InnoDB undoes the commits that the binary log lacks.
    isMet: ({ log_bin: log, sync_binlog: sync = '1' }) => isOff(log) || sync === '1',
    says: 'The server writes a binary log and answers before it is on its disk. Set sync_binlog to 1.',
  },
  {
    isMet: ({ log_bin: log, binlog_format: format = 'ROW' }) => isOff(log) || format !== 'STATEMENT',
    says: 'The binary log has the format STATEMENT, which read committed does not allow. Set binlog_format to ROW.',
  },
  {
    isMet: ({ sql_mode: mode = '' }) => /\bSTRICT_(ALL|TRANS)_TABLES\b/.test(mode),
    says: 'The sessions cut values that do not fit. Add STRICT_ALL_TABLES to the sql_mode of the pool.',
  },
  {
    // The server would answer with "?" for what the character set lacks, in payloads too. Empty: it converts nothing.
    isMet: ({ character_set_results: charset = '' }) => ['', 'utf8mb4'].includes(charset),
    says: 'The sessions read texts in a character set that lacks characters, or as bytes. Set the charset of the pool to utf8mb4.',
  },
  {
    // The next commit would be a part of the transaction that `commit` begins, and be answered before it is committed.
    isMet: ({ completion_type: type = 'NO_CHAIN' }) => type === 'NO_CHAIN',
    says: 'The sessions begin a transaction at each commit, or end. Set completion_type to NO_CHAIN for the pool.',
  },
  {
    isMet: ({ transaction_isolation: current, tx_isolation: earlier }) => (current ?? earlier) !== 'READ-UNCOMMITTED',
    says: 'The sessions see what is not committed. Set transaction_isolation to READ-COMMITTED.',
  },
  {
    // A node may have received a commit of another one, and not have carried it out: a revoked token would be active.
    isMet: ({ wsrep_on: cluster, wsrep_sync_wait: wait = '0' }) => isOff(cluster) || Number(wait) % 2 === 1,
    says: 'The sessions read what is out of date on this node of Galera. Set wsrep_sync_wait to 3 for the pool.',
  },
  {
    isMet: ({ max_allowed_packet: bytes = `${leastPacketBytes}` }) => Number(bytes) >= leastPacketBytes,
    says: `A statement may be too long for the server. Set max_allowed_packet to at least ${leastPacketBytes}.`,
  },
];

/** Steps of a later release are no hindrance: while several releases run, each step only adds. */
export const assertFit = ([variables, migrations]: readonly Answer[]): void => {
  const values: Values = Object.fromEntries(textsIn(variables) as readonly (readonly [string, string])[]);
  const broken = requirements.find(({ isMet }) => !isMet(values));
  if (broken) throw new StoreUnfitError(broken.says);
  const applied = textsIn(migrations).map(([name]) => name);
  const missing = stepNames.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    throw new StoreUnfitError(`The tables of Carnet lack ${missing.join(', ')}. Run \`carnet migrate up\`.`);
};

const textsIn = (answer: Answer | undefined): readonly (readonly string[])[] =>
  Array.isArray(answer) ? answer.map((row: readonly unknown[]) => row.map((value) => `${value}`)) : [];
