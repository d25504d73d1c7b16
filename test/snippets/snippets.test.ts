import { expect, test } from 'vitest';
import { allBlocks, blockOf, nameOf } from './blocks.ts';
import { verdictOf } from './rules.ts';
import { commandsIn } from './shell.ts';

const verdicts = allBlocks().map(verdictOf);

test('each snippet of the documents is run, checked, or marked with a reason', () => {
  const problems = verdicts.flatMap(({ block, problem }) =>
    problem === undefined ? [] : `${nameOf(block)} ${problem}`,
  );
  expect(problems).toEqual([]);
  const count = (wanted: string): number => verdicts.filter(({ how }) => how === wanted).length;
  process.stdout.write(
    `snippets: ${count('run')} run, ${count('checked')} checked, ${count('not run')} marked as not run\n`,
  );
});

test.each([
  ['an unknown command', 'sh', 'carnet serv', 'There is no command "serv"'],
  ['an unknown option', 'sh', 'PORT=1 carnet serve --worker 2', "Unknown option '--worker'"],
  ['an unknown script', 'sh', 'npm run nothing', 'has no script nothing'],
  ['an unknown package', 'sh', 'npm install @carnet/nothing', 'publishes no @carnet/nothing'],
  ['an unknown path', 'sh', 'curl "$ADMIN/admin/nothing"', 'has no GET /admin/nothing'],
  ['a body that is refused', 'sh', `curl "$ADMIN/admin/clients" -d '{"client_id": 1}'`, 'must be string'],
  ['a program without a rule', 'sh', 'docker run x', 'no rule'],
  ['a wrong key', 'yaml', 'isuer: https://a.example', 'isuer'],
  ['a language without a rule', 'cobol', 'STOP RUN.', 'no rule for cobol'],
  ['a command without a language', '', 'carnet serve', 'has the language sh'],
])('%s is a problem', (_what, language, code, problem) => {
  expect(verdictOf(blockOf(language, code)).problem).toContain(problem);
});

test('a marker needs a reason, and a test that names the document', () => {
  expect(verdictOf(blockOf('cobol', '', '<!-- snippet: not run: no compiler here -->'))).toMatchObject({
    how: 'not run',
  });
  expect(verdictOf(blockOf('cobol', '', '<!-- snippet: not run: no -->')).problem).toContain('no reason');
  expect(verdictOf(blockOf('ts', '', '<!-- snippet: run by package.json -->')).problem).toContain('does not mention');
  expect(verdictOf(blockOf('ts', 'a', '<!-- snippet: same as README.md -->')).problem).toBeUndefined();
  expect(verdictOf(blockOf('ts', 'no()', '<!-- snippet: same as LICENSE -->')).problem).toContain('no copy');
});

test('shell lines are read with quotes, comments, continued lines and pipes', () => {
  expect(commandsIn(`A=b carnet x "a $B" \\\n  'c d' > out.txt # no\nnpm test && cd a | grep "b\\"c"`)).toEqual([
    { program: 'carnet', args: ['x', 'a $B', 'c d'], env: { A: 'b' } },
    { program: 'npm', args: ['test'], env: {} },
    { program: 'cd', args: ['a'], env: {} },
    { program: 'grep', args: ['b"c'], env: {} },
  ]);
});
