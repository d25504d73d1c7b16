// `npm test`: sets up, sees to a browser and a Redis, runs every test, and ends with "N passed, N failed".
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { installPythonProgram, moto, pythonOf } from './python-programs.mjs';
import { main, setup } from './setup.mjs';
import { childEnv, root, run, say } from './workspace.mjs';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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
 */
const programs = [
  {
    name: 'chromium',
    isThere: () => Boolean(process.env.CHROMIUM_PATH) || browsers.some(isOnPath),
    packages: ['chromium', 'fonts-liberation'],
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
    name: 'nginx',
    isThere: () => isOnPath('nginx') || existsSync('/usr/sbin/nginx'),
    packages: ['nginx-light'],
    sizeMb: 2,
    without: 'the tests of client certificates and of rolling restarts will fail',
  },
  {
    name: 'pgbouncer',
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
    isThere: () => pythonOf(moto) !== undefined || spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0,
    packages: ['python3-venv'],
    sizeMb: 10,
    without: 'the tests of AWS KMS will fail',
  },
  {
    name: 'softhsm2',
    isThere: () => isOnPath('softhsm2-util') && isOnPath('pkcs11-tool') && isOnPath('g++'),
    packages: ['softhsm2', 'opensc', 'g++'],
    sizeMb: 60,
    without: 'the tests of PKCS #11 will fail',
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

/** On Debian, as root, what is missing is installed; elsewhere that is said. No test is skipped for it. */
const seeToPrograms = async () => {
  const missing = programs.filter((program) => !program.isThere());
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) return installFromDebian(missing);
  for (const { name, without } of missing) say(`test: there is no ${name} on PATH; install it, or ${without}`);
};

const seeToMoto = async () => {
  const title = `installing moto ${moto.version} (about ${moto.sizeMb} MB)`;
  const isDone = await installPythonProgram(moto, (command, args) => runQuietly(title, command, args));
  if (!isDone) say('test: moto could not be installed; the tests of AWS KMS will fail');
};

/** A file that could not even be loaded has no test that failed, but it did. */
const countFailures = (report) =>
  report.numFailedTests +
  report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  ).length;

const runTests = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-test-'));
  const reportFile = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const code = await run('vitest', ['run', ...reporters, ...args], {
      env: childEnv({ NODE_ENV: 'test', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) }),
    });
    return { code, report: existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** More failed files than this are not run again: they did not fail because the machine was busy. */
const mostFilesRunAgain = 6;

const failedFiles = (report) => report.testResults.filter((file) => file.status === 'failed').map((file) => file.name);

/** Of the arguments of vitest, those that do not choose tests. */
const withoutFilters = (args) => args.filter((arg, at) => arg.startsWith('-') || args[at - 1] === '--config');

/** The failed tests by file and title, each with the first line of its error. */
const failures = (report) =>
  new Map(
    report.testResults.flatMap((file) => {
      const failed = file.assertionResults.filter((result) => result.status === 'failed');
      const path = relative(root, file.name);
      const lines = failed.map(({ fullName, failureMessages: [message = ''] }) => [`${path}: ${fullName}`, message]);
      if (file.status === 'failed' && failed.length === 0) lines.push([path, String(file.message)]);
      return lines.map(([name, message]) => [name, message.split('\n')[0]]);
    }),
  );

/**
 * Some tests wait for real programs and real time, and two files run at once. A file that failed is therefore run again,
 * alone. What fails alone has failed; what passes alone is reported by name, because it depends on time and needs a change.
 */
const runAgainAlone = async (args, first) => {
  const files = failedFiles(first.report);
  if (files.length === 0 || files.length > mostFilesRunAgain) return first;
  say(`test: ${files.length} files failed beside others; they run again, alone`);
  const alone = await runTests([...withoutFilters(args), '--maxWorkers=1', ...files]);
  if (alone.report === undefined) return first;
  const still = failures(alone.report);
  for (const [name, error] of failures(first.report)) {
    if (!still.has(name)) say(`test: passed only when run alone: ${name}: ${error}`);
  }
  return alone;
};

const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

await main(async () => {
  process.chdir(root);
  await setup();
  await seeToPrograms();
  await seeToMoto();
  const args = process.argv.slice(2);
  const first = await runTests(args);
  if (first.report === undefined) throw new Error(`vitest wrote no report (exit code ${first.code})`);
  const { code, report } = await runAgainAlone(args, first);
  const counted = countFailures(report);
  // An error outside any test fails the run as well.
  const failed = code !== 0 && counted === 0 ? 1 : counted;
  if (failed > counted) say(`test: vitest ended with exit code ${code} although no test failed; the reason is above`);
  for (const [name, error] of failures(report)) say(`test: failed: ${name}: ${error}`);
  const { numTotalTests, numPendingTests, numTodoTests = 0 } = first.report;
  const skipped = numPendingTests + numTodoTests;
  const passed = numTotalTests - skipped - failed;
  say(closingLine({ passed, failed, skipped }));
  return failed > 0 || passed <= 0 ? 1 : 0;
});
