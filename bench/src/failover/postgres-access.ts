import { join } from 'node:path';
import type { DatabaseAccess } from './app-machines.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import { carnetPassword, superuserUrl } from './database-cluster.ts';
import type { Machine, Machines } from './machines.ts';
import { queryOnce } from './query-once.ts';
import { writeTemplate } from './templates.ts';

const startProxies = ({ databases, apps }: Machines, machine: Machine): readonly [Daemon, Daemon] => {
  const { address, folder, owner } = machine;
  const values = {
    ADDRESS: address,
    RUN_FOLDER: join(folder, 'run'),
    CARNET_PASSWORD: carnetPassword,
    ...Object.fromEntries(databases.map((each, index) => [`POSTGRES_${index + 1}`, each.address])),
    ...Object.fromEntries(apps.map((each, index) => [`CARNET_${index + 1}`, each.address])),
  };
  writeTemplate(machine, 'postgres-ha/userlist.txt', values);
  const haproxy = createDaemon({
    name: `HAProxy on ${machine.name}`,
    command: '/usr/sbin/haproxy',
    args: ['-db', '-f', writeTemplate(machine, 'postgres-ha/haproxy.cfg', values)],
    logFile: join(folder, 'haproxy.log'),
    owner,
  });
  const pgbouncer = createDaemon({
    name: `PgBouncer on ${machine.name}`,
    command: '/usr/sbin/pgbouncer',
    args: [writeTemplate(machine, 'postgres-ha/pgbouncer.ini', values)],
    logFile: join(folder, 'pgbouncer.log'),
    owner,
  });
  for (const each of [haproxy, pgbouncer]) each.start();
  return [haproxy, pgbouncer];
};

/** Through PgBouncer and HAProxy. */
export const postgresAccess = (machines: Machines, primary: Machine): DatabaseAccess => ({
  startProxies: (machine) => startProxies(machines, machine),
  async create() {
    await queryOnce(superuserUrl(primary), `create role carnet login password '${carnetPassword}'`);
    await queryOnce(superuserUrl(primary), 'create database carnet owner carnet');
  },
  url: ({ address }) => `postgres://carnet:${carnetPassword}@${address}:6432/carnet`,
  takesCommits: (machine) =>
    queryOnce(superuserUrl(machine, 5_000), 'select pg_is_in_recovery() as standby').then(
      ([row]) => row?.standby === false,
      () => false,
    ),
});
