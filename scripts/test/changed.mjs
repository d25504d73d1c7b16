// Which tests a change can reach: those that import what it changes, and those that run programs.
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { childEnv, root, say } from '../workspace.mjs';

const ask = (command, args) =>
  execFileSync(command, args, {
    cwd: root,
    env: childEnv(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** Where the branch has left the main line. */
const branchPoint = () => {
  for (const main of ['origin/main', 'main']) {
    try {
      return ask('git', ['merge-base', 'HEAD', main]);
    } catch {
      // There is no such branch here.
    }
  }
  return 'HEAD';
};

/** What no import tells: the tests that run programs, each a process of its own, and packages that are loaded when configured. */
const reached = [
  {
    change: /^(packages|examples)\//,
    tests: ['packages/cli/test', 'packages/create-carnet/test', 'test/browser', 'examples'],
  },
  {
    change: /^packages\/(accounts|adapter)-/,
    tests: ['packages/accounts/test', 'packages/provider/test/accounts', 'packages/provider/test/stores'],
  },
];
const isSource = (path) => !/\.(test\.ts|md)$/.test(path);

const list = (args) => {
  const files = JSON.parse(ask('vitest', ['list', '--filesOnly', '--json', ...args]) || '[]');
  return files.map(({ file }) => relative(root, file));
};

/** The test files that the commits since the main line, and what is not committed yet, can reach. */
export const filesOfChange = async (projects) => {
  const since = branchPoint();
  const untracked = ask('git', ['ls-files', '--others', '--exclude-standard']);
  const changed = `${ask('git', ['diff', '--name-only', since])}\n${untracked}`.split('\n').filter(Boolean);
  const byImport = list([...projects, `--changed=${since}`]);
  const sources = changed.filter(isSource);
  const others = reached
    .filter(({ change }) => sources.some((path) => change.test(path)))
    .flatMap(({ tests }) => tests);
  const files = [...new Set([...byImport, ...(others.length > 0 ? list([...projects, ...others]) : [])])];
  say(`test: ${changed.length} changed files reach ${files.length} test files`);
  return files;
};
