import { join } from 'node:path';
import { findFreePort, startPostgres } from '@carnet/test-servers';
import { numberOf, oneOf } from '../../option-values.ts';
import { type RunningCarnet, serveCarnet } from '../../targets/carnet-process.ts';
import { makeScratchFolder, removeScratchFolder } from '../../targets/scratch-folder.ts';
import { publicClient, registerClient } from '../../users/register-client.ts';
import { note, rounded, type Study, type Table } from '../study.ts';
import { importInto } from './import-into.ts';
import { measureOffboarding } from './measure-offboarding.ts';
import { measureQueries, scimToken } from './measure-queries.ts';

/** The URLs of an empty store and of an empty accounts database. */
const openDatabases = async (kind: 'postgres' | 'sqlite') => {
  if (kind === 'sqlite') {
    const folder = makeScratchFolder('manage-users');
    const [store, accounts] = ['store.db', 'accounts.db'].map((name) => `sqlite:${join(folder, name)}`);
    return { store: `${store}`, accounts: `${accounts}`, close: async () => removeScratchFolder(folder) };
  }
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
  return {
    store: await postgres.createDatabase(),
    accounts: await postgres.createDatabase(),
    close: () => postgres.close(),
  };
};

const settings = {
  ID_TOKEN_ALG: 'ES256',
  ALLOWED_HOSTS: '127.0.0.1:*',
  SECRETS_SYSTEM: 'the-secret-that-both-processes-of-the-study-have',
  ACCOUNTS_DIRECTORIES: JSON.stringify([{ name: 'people', kind: 'sql' }]),
  ACCOUNTS_SCIM_ENABLED: 'true',
  ACCOUNTS_SCIM_TOKEN: scimToken,
  ACCOUNTS_SCIM_REQUESTS_PER_SECOND: '1000',
};

/** Two processes with the same issuer, store and users, each with this number of workers. */
const startBoth = async (env: Readonly<Record<string, string>>, workers: number) => {
  const port = String(await findFreePort());
  const shared = { ...env, ISSUER: `http://127.0.0.1:${port}` };
  const first = await serveCarnet({ env: { ...shared, PORT: port }, workers });
  const second = await serveCarnet({ env: shared, workers });
  const stop = async () => void (await Promise.all([first.stop(), second.stop()]));
  return { processes: [first, second] as const satisfies readonly RunningCarnet[], stop };
};

type Measured = Awaited<ReturnType<typeof measureQueries>>;
type Offboarded = Awaited<ReturnType<typeof measureOffboarding>>;

const tablesOf = (head: string, queried: Measured, ended: Offboarded): readonly Table[] => {
  const worst = (values: readonly number[]): string => rounded(Math.max(...values));
  const rows = queried.map(({ name, latencies }) => [
    name,
    ...[50, 95, 99].map((share) => rounded(latencies.percentile(share))),
  ]);
  return [
    [[head, 'p50 ms', 'p95 ms', 'p99 ms'], ...rows],
    [
      [`of ${ended.length} users, 50 requests a second each, at two processes`, 'longest ms'],
      ['the call that disables', worst(ended.map(({ callMs }) => callMs))],
      ['a token was accepted after the call began', worst(ended.map(({ acceptedMs }) => acceptedMs))],
    ],
  ];
};

/** The management of users: lists and searches beside logins, and the end of access of a user whose tokens are in use. */
export const manageUsers: Study = {
  name: 'manage-users',
  title: 'Lists and searches of users beside logins, and how long tokens of a disabled user are accepted',
  options: { users: '10000', seconds: '30', logins: '20', workers: '2', offboarded: '10', database: 'postgres' },
  async run({ users = '', seconds = '', logins = '', workers = '', offboarded = '', database = '' }) {
    const amount = numberOf('users', users, 1_000_000);
    const kind = oneOf('database', database, ['postgres', 'sqlite']);
    const { store, accounts, close } = await openDatabases(kind);
    try {
      note(`importing ${amount} users`);
      await importInto(accounts, amount);
      const env = { DATABASE_URL: store, ACCOUNTS_DATABASE: accounts, ...settings };
      const { processes, stop } = await startBoth(env, numberOf('workers', workers, 16));
      try {
        const [first] = processes;
        const client = await registerClient(first, publicClient);
        const load = { seconds: numberOf('seconds', seconds, 600), logins: numberOf('logins', logins, 500) };
        note('warming up, then lists and searches');
        await measureQueries(first, client, { ...load, seconds: Math.min(10, load.seconds) });
        const queried = await measureQueries(first, client, load);
        note(`offboarding ${offboarded} users`);
        const ended = await measureOffboarding(processes, client, numberOf('offboarded', offboarded, 1_000));
        return { tables: tablesOf(`${amount} users on ${kind}, beside ${logins} logins a second`, queried, ended) };
      } finally {
        await stop();
      }
    } finally {
      await close();
    }
  },
};
