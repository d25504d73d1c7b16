import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatherLines } from './gather-lines.ts';

const gathered = async (lines: readonly string[]): Promise<readonly string[]> => {
  const writes: string[] = [];
  const { write } = gatherLines({ write: (text) => void writes.push(text) });
  for (const line of lines) write(line);
  await nextTurn();
  return writes;
};

test('the lines of one turn are one write', async () => {
  expect(await gathered(['one\n', 'two\n', 'three\n'])).toEqual(['one\ntwo\nthree\n']);
});

test.each(['x', 'ü', '€', '😀'])('each write fits a pipe as a whole and ends with a line: %s', async (text) => {
  const lines = Array.from({ length: 500 }, (_, index) => `${index}${text.repeat(index % 300)}\n`);
  const writes = await gathered(lines);
  expect(writes.join('')).toBe(lines.join(''));
  expect(Math.max(...writes.map((each) => Buffer.byteLength(each)))).toBeLessThanOrEqual(4_096);
  expect(writes.every((each) => each.endsWith('\n'))).toBe(true);
});

test('a line that is larger goes by itself', async () => {
  const long = `${'x'.repeat(5_000)}\n`;
  expect(await gathered(['before\n', long, 'after\n'])).toEqual(['before\n', long, 'after\n']);
});
