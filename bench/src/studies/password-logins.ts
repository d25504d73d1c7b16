import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { createUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { findFreePort, type SlapdServer, startSlapd } from '@carnet/test-servers';
import { runClosedLoop } from '../load/closed-loop.ts';
import { probe } from '../load/probe.ts';
import { cpuMicroseconds } from '../measure-cpu.ts';
import { numberOf } from '../option-values.ts';
import { form } from '../scenarios/token-type.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { type LoginApp, startLoginApp } from '../targets/login-app.ts';
import { makeScratchFolder, removeScratchFolder } from '../targets/scratch-folder.ts';
import type { RunningTarget } from '../targets/target.ts';
import { logInWithPassword, tryWrongPassword } from '../users/password-logins.ts';
import { type Client, publicClient, registerClient } from '../users/register-client.ts';
import { note, type Reading, rounded, type Study } from './study.ts';

const sqlPassword = 'a password of the bench';

interface Place {
  readonly name: string;
  /** The configuration of the directory, and the users in it. */
  open(folder: string, slapd: SlapdServer, users: number): Promise<Readonly<Record<string, unknown>>>;
  typedBy(index: number): { readonly login: string; readonly password: string };
}

const userName = (index: number): string => `user${String(index + 1).padStart(4, '0')}`;

const places: readonly Place[] = [
  {
    name: 'LDAP (slapd, LDAPS, SSHA)',
    open: async (_folder, { tlsUrl, peopleDn, reader }) => ({
      ...{ name: 'bench', kind: 'ldap', urls: [tlsUrl], base: peopleDn },
      ...{ bindDn: reader.dn, bindPassword: reader.password },
    }),
    typedBy: (index) => ({ login: userName(index), password: `password-${userName(index)}` }),
  },
  {
    name: 'SQL (SQLite, argon2id m=19456,t=2,p=1)',
    async open(folder, _slapd, amount) {
      const database = await openAccountsDatabase({ url: accountsIn(folder) });
      const hashing = createPasswordHashing();
      const users = createUsers({ database, hashing });
      const passwordHash = await hashing.hash(sqlPassword, '');
      for (let index = 0; index < amount; index++) await users.create({ username: userName(index), passwordHash });
      await database.close();
      return { name: 'bench', kind: 'sql' };
    },
    typedBy: (index) => ({ login: userName(index), password: sqlPassword }),
  },
];

const accountsIn = (folder: string): string => `sqlite:${join(folder, 'accounts.db')}`;

interface Stack {
  readonly target: RunningTarget;
  readonly app: LoginApp;
  readonly client: Client;
}

/** Runs an operation against Carnet on SQLite with one worker, and the bundled pages. */
const withStack = async <T>(
  place: Place,
  slapd: SlapdServer,
  users: number,
  run: (stack: Stack) => Promise<T>,
): Promise<T> => {
  const folder = makeScratchFolder('accounts');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, slapd.ca);
  const port = await findFreePort();
  const directory = await place.open(folder, slapd, users);
  const url = `http://127.0.0.1:${port}`;
  const target = await startCarnetTarget({
    store: 'sqlite',
    workers: 1,
    env: {
      URLS_LOGIN: `${url}/login`,
      URLS_CONSENT: `${url}/consent`,
      ACCOUNTS_DATABASE: accountsIn(folder),
      ACCOUNTS_DIRECTORIES: JSON.stringify([directory.kind === 'ldap' ? { ...directory, caFile } : directory]),
      ACCOUNTS_SECOND_FACTORS_POLICY: 'none',
    },
  });
  try {
    const app = await startLoginApp(port, target);
    try {
      const client = await registerClient(target, { ...publicClient, skip_consent: true });
      return await run({ target, app, client });
    } finally {
      await app.stop();
    }
  } finally {
    await target.stop();
    removeScratchFolder(folder);
  }
};

/** Logins per second with so many browsers at once, and the CPU milliseconds of each process per login. */
const measureLogins = async (
  { target, app, client }: Stack,
  place: Place,
  { logins, connections, users }: { readonly logins: number; readonly connections: number; readonly users: number },
): Promise<readonly string[]> => {
  let next = 0;
  const run = () => logInWithPassword(target, client, place.typedBy(next++ % users));
  await runClosedLoop(run, { amount: Math.ceil(logins / 4), connections });
  const cpuOf = () => [cpuMicroseconds(target.processIds), cpuMicroseconds([app.processId])] as const;
  const before = cpuOf();
  const { seconds, latencies } = await runClosedLoop(run, { amount: logins, connections });
  const [server = 0, pages = 0] = cpuOf().map((after, index) => (after - (before[index] ?? 0)) / 1_000 / logins);
  const cells = [logins / seconds, latencies.percentile(50), latencies.percentile(95), server, pages];
  return [place.name, ...cells.map(rounded)];
};

/** The p95 of a request that hashes no password, while `during` runs. */
const measureOthers = async ({ target }: Stack, during: () => Promise<unknown>): Promise<number> => {
  const path = '/admin/oauth2/introspect';
  const request = { method: 'POST', path, headers: form, body: 'token=carnet_at_unknown.unknown' } as const;
  return (await probe({ url: target.adminUrl, request }, during)).percentile(95);
};

const wrongPasswords = 200;

const guess = ({ target, client }: Stack, place: Place, users: number): Promise<unknown> => {
  let next = 0;
  const run = () => tryWrongPassword(target, client, place.typedBy(next++ % users).login);
  return runClosedLoop(run, { amount: wrongPasswords, connections: 16 });
};

/** Milliseconds of one argon2id verification: the wall time, and the CPU time. */
const measureHash = async (): Promise<readonly [number, number]> => {
  const hashing = createPasswordHashing();
  const encoded = await hashing.hash(sqlPassword, '');
  const [amount, before, at] = [50, process.cpuUsage(), performance.now()];
  for (let index = 0; index < amount; index++) await hashing.verify(encoded, sqlPassword, '');
  const { user, system } = process.cpuUsage(before);
  return [(performance.now() - at) / amount, (user + system) / 1_000 / amount];
};

/** Logins with a password through the bundled pages, and other requests while passwords are guessed. */
export const passwordLogins: Study = {
  name: 'password-logins',
  title: 'Logins with a password through the bundled pages, on SQLite with one worker',
  options: { logins: '200', connections: '4', users: '200' },
  async run({ logins: wanted = '', connections: many = '', users: amount = '' }) {
    const users = numberOf('users', amount, 1_000);
    const load = { logins: numberOf('logins', wanted, 100_000), connections: numberOf('connections', many, 64), users };
    const slapd = await startSlapd({ users, hash: 'ssha' });
    const rows: (readonly string[])[] = [
      ['directory', 'logins/s', 'p50 ms', 'p95 ms', 'CPU ms of Carnet', 'CPU ms of the pages'],
    ];
    const others: (readonly string[])[] = [
      ['p95 of other requests, ms', 'quiet', `${wrongPasswords} wrong passwords`, 'times'],
    ];
    const readings: Reading[] = [];
    try {
      for (const place of places) {
        note(place.name);
        await withStack(place, slapd, users, async (stack) => {
          rows.push(await measureLogins(stack, place, load));
          const quiet = await measureOthers(stack, () => pause(5_000));
          const busy = await measureOthers(stack, () => guess(stack, place, users));
          others.push([place.name, quiet.toFixed(2), busy.toFixed(2), (busy / quiet).toFixed(2)]);
          readings.push({ name: 'p95 of others, 200 wrong passwords', target: place.name, value: busy / quiet });
        });
      }
    } finally {
      await slapd.close();
    }
    const [wall, cpu] = await measureHash();
    const hash = [
      ['one argon2id verification', 'ms', 'CPU ms'],
      ['m=19456,t=2,p=1', wall.toFixed(1), cpu.toFixed(1)],
    ];
    return { tables: [rows, others, hash], readings };
  },
};
