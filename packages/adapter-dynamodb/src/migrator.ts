import { setTimeout as pause } from 'node:timers/promises';
import type { Migrator, OpenMigrator } from '@carnet/adapter-contract';
import { type Deadline, deadlineIn, millisecondsUntil } from '@carnet/adapter-contract/kit';
import { parseAddress } from './address.ts';
import { type Connection, openConnection } from './connection.ts';
import { isTableMissing, isTableThere } from './faults.ts';
import type { TableDescription } from './wire.ts';

/** The only step: the table with its TTL, and the index that `expiry=sweep` needs. */
const stepName = '0001-table';

const keyOf = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];

const typed = (types: Readonly<Record<string, 'S' | 'N'>>) =>
  Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));

const sweepIndex = {
  GlobalSecondaryIndexes: [
    { IndexName: 'sweep', KeySchema: keyOf('sweep', 'expires'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
};

const tableOf = (table: string, isSwept: boolean) => ({
  TableName: table,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: keyOf('pk', 'sk'),
  AttributeDefinitions: typed({ pk: 'S', sk: 'S', ...(isSwept && { sweep: 'S', expires: 'N' }) }),
  ...(isSwept && sweepIndex),
});

/** How long the creation of a table may take. */
const creationMs = 120_000;
const pollMs = 500;

const timeToLive = { AttributeName: 'ttl', Enabled: true };

const enableTtl = async (connection: Connection, TableName: string, deadline: Deadline): Promise<void> => {
  const { TimeToLiveDescription: ttl } = await connection.call('DescribeTimeToLive', { TableName }, deadline);
  if (ttl.TimeToLiveStatus.startsWith('ENABL')) return;
  await connection.call('UpdateTimeToLive', { TableName, TimeToLiveSpecification: timeToLive }, deadline);
};

export const openMigrator: OpenMigrator = async ({ url }): Promise<Migrator> => {
  const { table, timeoutMs, expiry, ...rest } = parseAddress(url);
  const connection = openConnection(rest);
  const TableName = table;

  const describe = async (deadline: Deadline): Promise<TableDescription | undefined> => {
    try {
      return (await connection.call('DescribeTable', { TableName }, deadline)).Table;
    } catch (error) {
      if (isTableMissing(error)) return undefined;
      throw error;
    }
  };

  const waitUntilActive = async (deadline: Deadline): Promise<void> => {
    while ((await describe(deadline))?.TableStatus !== 'ACTIVE') {
      if (millisecondsUntil(deadline) === 0)
        throw new Error(`The DynamoDB table ${table} did not become active in time.`);
      await pause(pollMs);
    }
  };

  /** False if another process has created it. */
  const create = async (deadline: Deadline): Promise<boolean> => {
    try {
      await connection.call('CreateTable', tableOf(table, expiry === 'sweep'), deadline);
      return true;
    } catch (error) {
      if (isTableThere(error)) return false;
      throw error;
    }
  };

  return {
    onlyByHand: true,
    async status() {
      const description = await describe(deadlineIn(timeoutMs));
      const appliedAt = description === undefined ? null : new Date(description.CreationDateTime * 1_000);
      return [{ name: stepName, appliedAt }];
    },
    async up() {
      const deadline = deadlineIn(creationMs);
      const isCreated = (await describe(deadline)) === undefined && (await create(deadline));
      await waitUntilActive(deadline);
      await enableTtl(connection, TableName, deadline);
      return isCreated ? [stepName] : [];
    },
    async down() {
      const deadline = deadlineIn(creationMs);
      if ((await describe(deadline)) === undefined) return undefined;
      await connection.call('DeleteTable', { TableName }, deadline);
      while ((await describe(deadline)) !== undefined) await pause(pollMs);
      return stepName;
    },
    close: () => connection.close(),
  };
};
