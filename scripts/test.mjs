// `npm test`, `npm run test:all`, `npm run test:changed`: sets up, runs the tests, and ends with "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, setup } from './setup.mjs';
import { filesOfChange } from './test/changed.mjs';
import { tell } from './test/outcome.mjs';
import { seeToPrograms } from './test/programs.mjs';
import { childEnv, root, run, say } from './workspace.mjs';

/** The tests wait for servers half of their time: one file more than there are processors keeps those busy. */
const workers = availableParallelism() + 1;

/** Which projects of vitest.config.ts each command runs. */
const commands = {
  quick: { name: 'npm test', projects: ['--project=quick', '--project=apart', `--maxWorkers=${workers}`] },
  all: { name: 'npm run test:all', projects: [] },
  slow: { name: 'npm run test:slow', projects: ['--project=slow', `--maxWorkers=${workers}`] },
  release: { name: 'npm run test:release', projects: ['--config=test/release/vitest.config.ts'] },
};

/** `--changed`: only what the change can reach. The rest is vitest's: parts of paths, and options. */
const readArguments = () => {
  const own = ['--all', '--slow', '--release', '--changed'];
  const given = process.argv.slice(2);
  const tier = ['all', 'slow', 'release'].find((name) => given.includes(`--${name}`)) ?? 'quick';
  return { tier, isChanged: given.includes('--changed'), rest: given.filter((arg) => !own.includes(arg)) };
};

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

await main(async () => {
  process.chdir(root);
  const { tier, isChanged, rest } = readArguments();
  const { name, projects } = commands[tier];
  await Promise.all([setup(), seeToPrograms(tier)]);
  const files = isChanged ? await filesOfChange(projects) : [];
  if (isChanged && files.length === 0) {
    say('test: the change reaches no test');
    return 0;
  }
  const { code, report } = await runTests([...projects, ...rest, ...files]);
  if (report === undefined) throw new Error(`vitest wrote no report (exit code ${code})`);
  const { passed, failed } = tell({ report, code, command: `${name} --` });
  if (passed === 0 && tier === 'quick') {
    say(`test: \`npm run test:all -- ${rest.join(' ')}\` looks at the slow tests, too`);
  }
  return failed > 0 || passed <= 0 ? 1 : 0;
});
