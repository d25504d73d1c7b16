// What the tests run that npm does not bring: on Debian, as root, it is installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPythonProgram, moto, pythonOf } from '../python-programs.mjs';
import { say } from '../workspace.mjs';

const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isOnPath = (command) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Runs a long command quietly, with a sign of life; what it printed is shown when it fails. */
const runQuietly = (title, command, args) =>
  new Promise((resolve) => {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    say(`test: ${title}`);
    const child = spawn(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    const timer = setInterval(() => say(`test: ${title}: ${seconds()} s`), 15_000);
    const finish = (isDone) => {
      clearInterval(timer);
      if (!isDone) say(Buffer.concat(output).toString().split('\n').slice(-20).join('\n'));
      resolve(isDone);
    };
    child.once('error', () => finish(false));
    child.once('close', (code) => finish(code === 0));
  });

/**
 * What the tests run that npm does not bring. Not Postgres: without one on the machine it is the npm package's. Where
 * Debian starts a Redis once it is installed, that is not the tests': they start their own, on ports of their own.
 * `from`: the first tests that run it, of `quick` (the default), `slow` and `release`.
 */
const programs = [
  {
    name: 'chromium',
    isThere: () => Boolean(process.env.CHROMIUM_PATH) || browsers.some(isOnPath),
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    sizeMb: 100,
    without: 'the tests in a browser will fail',
  },
  {
    name: 'redis-server',
    isThere: () => isOnPath('redis-server') || existsSync('/usr/bin/redis-server'),
    packages: ['redis-server'],
    sizeMb: 2,
    without: 'the tests of Redis will fail',
  },
  {
    name: 'mariadb-server',
    isThere: () => isOnPath('mariadbd') || existsSync('/usr/sbin/mariadbd'),
    packages: ['mariadb-server'],
    sizeMb: 190,
    without: 'the tests of the MySQL store are skipped, and those of whole providers on MariaDB will fail',
  },
  {
    name: 'galera-4',
    from: 'slow',
    isThere: () => existsSync('/usr/lib/galera/libgalera_smm.so') && isOnPath('rsync'),
    packages: ['galera-4', 'rsync'],
    sizeMb: 5,
    without: 'the tests of the MySQL store on a cluster are skipped',
  },
  {
    name: 'nginx',
    isThere: () => isOnPath('nginx') || existsSync('/usr/sbin/nginx'),
    packages: ['nginx-light'],
    sizeMb: 2,
    without: 'the tests of client certificates and of rolling restarts will fail',
  },
  {
    name: 'pgbouncer',
    from: 'slow',
    isThere: () => isOnPath('pgbouncer') || existsSync('/usr/sbin/pgbouncer'),
    packages: ['pgbouncer'],
    sizeMb: 1,
    without: 'the tests of Postgres behind PgBouncer will fail',
  },
  {
    name: 'slapd',
    isThere: () =>
      (isOnPath('slapd') || existsSync('/usr/sbin/slapd')) &&
      isOnPath('ldapmodify') &&
      existsSync('/usr/lib/ldap/pw-sha2.so'),
    packages: ['slapd', 'slapd-contrib', 'ldap-utils'],
    sizeMb: 5,
    without: 'the tests of the LDAP directory will fail',
  },
  {
    name: 'python3-venv',
    from: 'slow',
    isThere: () => pythonOf(moto) !== undefined || spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0,
    packages: ['python3-venv'],
    sizeMb: 10,
    without: 'the tests of AWS KMS and the compliance test of SCIM will fail',
  },
  {
    name: 'softhsm2',
    from: 'slow',
    isThere: () => isOnPath('softhsm2-util') && isOnPath('pkcs11-tool') && isOnPath('g++'),
    packages: ['softhsm2', 'opensc', 'g++'],
    sizeMb: 60,
    without: 'the tests of PKCS #11 will fail',
  },
  {
    name: 'prometheus',
    from: 'slow',
    isThere: () => isOnPath('prometheus') && isOnPath('promtool'),
    packages: ['prometheus'],
    sizeMb: 50,
    without: 'the test of the console with Prometheus will fail',
  },
  {
    name: 'haproxy',
    from: 'release',
    isThere: () => existsSync('/usr/sbin/haproxy'),
    packages: ['haproxy'],
    sizeMb: 2,
    without: 'the tests behind HAProxy are skipped',
  },
  {
    name: 'apache2',
    from: 'release',
    isThere: () => existsSync('/usr/sbin/apache2'),
    packages: ['apache2'],
    sizeMb: 2,
    without: 'the tests behind Apache are skipped',
  },
  {
    name: 'caddy',
    from: 'release',
    isThere: () => existsSync('/usr/bin/caddy'),
    packages: ['caddy'],
    sizeMb: 12,
    without: 'the tests behind Caddy are skipped',
  },
  {
    name: 'buildah and debootstrap',
    from: 'release',
    isThere: () => isOnPath('buildah') && isOnPath('debootstrap'),
    packages: ['buildah', 'debootstrap'],
    sizeMb: 20,
    without: 'the tests of the image are skipped',
  },
];

const installFromDebian = async (missing) => {
  const names = missing.map(({ name }) => name).join(' and ');
  const sizeMb = missing.reduce((sum, program) => sum + program.sizeMb, 0);
  const packages = missing.flatMap((program) => program.packages);
  const isDone =
    (await runQuietly("updating Debian's package lists", 'apt-get', ['update', '-q'])) &&
    (await runQuietly(`installing ${names} (about ${sizeMb} MB)`, 'apt-get', [
      ...['install', '-y', '-q', '--no-install-recommends'],
      ...packages,
    ]));
  if (!isDone) for (const { name, without } of missing) say(`test: ${name} could not be installed; ${without}`);
};

const seeToMoto = async () => {
  const title = `installing moto ${moto.version} (about ${moto.sizeMb} MB)`;
  const isDone = await installPythonProgram(moto, (command, args) => runQuietly(title, command, args));
  if (!isDone) say('test: moto could not be installed; the tests of AWS KMS will fail');
};

const rankOf = (tier) => ({ quick: 0, slow: 1, all: 1, release: 2 })[tier];

/** On Debian, as root, what is missing is installed; elsewhere that is said. No test is skipped for it. */
export const seeToPrograms = async (tier) => {
  const missing = programs.filter(({ from = 'quick', isThere }) => rankOf(from) <= rankOf(tier) && !isThere());
  if (missing.length > 0 && process.getuid?.() === 0 && isOnPath('apt-get')) await installFromDebian(missing);
  else for (const { name, without } of missing) say(`test: there is no ${name} on PATH; install it, or ${without}`);
  if (rankOf(tier) > 0) await seeToMoto();
};
