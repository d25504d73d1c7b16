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

/** No import tells what these run: the command, the pages, the examples, each as a process of its own. */
const runPrograms = ['packages/cli/test', 'packages/create-carnet/test', 'test/browser', 'examples'];
const isOfPrograms = (path) => /^(packages|examples)\//.test(path) && !/\.(test\.ts|md)$/.test(path);

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
  const byProgram = changed.some(isOfPrograms) ? list([...projects, ...runPrograms]) : [];
  const files = [...new Set([...byImport, ...byProgram])];
  say(`test: ${changed.length} changed files reach ${files.length} test files`);
  return files;
};
