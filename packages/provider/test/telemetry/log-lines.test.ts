import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./log-lines-program.ts', import.meta.url));

const linesWhenEndedBy = (end: string): readonly string[] => {
  const argv = ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', program, end];
  return spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout.trimEnd().split('\n');
};

const messages = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => {
    const { audit, msg } = JSON.parse(line) as { audit?: { index: number }; msg: string };
    return audit ? String(audit.index) : msg;
  });

const audits = Array.from({ length: 2_000 }, (_, index) => String(index));

// A turn's lines are written together at its end. SIGKILL is sent here in the turn after.
test.each(['return', 'exit', 'throw', 'reject', 'SIGKILL'])('no line is lost when a process ends by %s', (end) => {
  expect(messages(linesWhenEndedBy(end))).toEqual([...audits, 'by the logger']);
});

test('a fatal line is written at once, and all before it', () => {
  expect(messages(linesWhenEndedBy('fatal'))).toEqual([...audits, 'by the logger', 'killed outright']);
});
