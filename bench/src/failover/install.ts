import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** Paths of programs, with the packages that bring them. */
export type Programs = Readonly<Record<string, readonly string[]>>;

export const postgresPrograms: Programs = {
  '/usr/bin/etcd': ['etcd-server'],
  '/usr/bin/patroni': ['patroni', 'python3-etcd', 'python3-psycopg2'],
  '/usr/sbin/haproxy': ['haproxy'],
  '/usr/sbin/pgbouncer': ['pgbouncer'],
  '/usr/lib/postgresql/15/bin/postgres': ['postgresql-15'],
  '/usr/sbin/iptables': ['iptables'],
};

export const galeraPrograms: Programs = {
  '/usr/sbin/mariadbd': ['mariadb-server'],
  '/usr/lib/galera/libgalera_smm.so': ['galera-4'],
  '/usr/bin/socat': ['socat'],
  '/usr/bin/rsync': ['rsync'],
  '/usr/sbin/haproxy': ['haproxy'],
  '/usr/sbin/iptables': ['iptables'],
};

const installer = '/usr/bin/apt-get';

/** Installs the missing programs of Debian 12, without starting their services. @throws UsageError where it cannot */
export const installPrograms = (programs: Programs, say: (text: string) => void): void => {
  const missing = Object.entries(programs).flatMap(([path, packages]) => (existsSync(path) ? [] : packages));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync(installer))
    throw new UsageError(`install these packages of Debian 12: ${missing.join(' ')}`);
  say(`installing ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  execFileSync(installer, ['update', '-q'], { env, stdio: 'ignore' });
  execFileSync(installer, ['install', '-y', '-q', '--no-install-recommends', ...missing], { env, stdio: 'ignore' });
};

const versionOf = (command: string, ...args: string[]): string => {
  const text = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown';
};

/** The versions of what was run. */
export const readPostgresVersions = (): Readonly<Record<string, string>> => ({
  Postgres: versionOf('/usr/lib/postgresql/15/bin/postgres', '--version'),
  Patroni: versionOf('/usr/bin/patroni', '--version'),
  etcd: versionOf('/usr/bin/etcd', '--version'),
  HAProxy: versionOf('/usr/sbin/haproxy', '-v'),
  PgBouncer: versionOf('/usr/sbin/pgbouncer', '--version'),
  Node: process.versions.node,
});

export const readGaleraVersions = (): Readonly<Record<string, string>> => ({
  MariaDB: versionOf('/usr/sbin/mariadbd', '--version'),
  Galera: versionOf('/usr/bin/dpkg-query', '--show', 'galera-4').replace(/^4\./, ''),
  HAProxy: versionOf('/usr/sbin/haproxy', '-v'),
  Node: process.versions.node,
});
