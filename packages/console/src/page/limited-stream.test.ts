import { expect, test } from 'vitest';
import type { ConsoleServer } from '../server/console-server.ts';
import { takeSlot } from './limited-stream.ts';
import type { PageContext } from './route.ts';

const limits = { kind: 'import', mostOfOperator: 1, most: 2, longestMs: 60_000 } as const;

const openContexts = () => {
  const server = {} as ConsoleServer;
  return (subject: string, signal = new AbortController().signal) =>
    ({
      ...{ server, signal, operator: { subject, name: subject, role: 'operator' } },
      watchSession: () => ({ ended: new AbortController().signal, stop: () => {} }),
    }) satisfies Parameters<typeof takeSlot>[0] & Partial<PageContext>;
};

test('an operator has one place, and all operators together have as many as the process allows', () => {
  const contextOf = openContexts();
  const first = takeSlot(contextOf('ada'), limits);
  expect(takeSlot(contextOf('ada'), limits)).toBeUndefined();
  expect(takeSlot(contextOf('bob'), limits)).toBeDefined();
  expect(takeSlot(contextOf('eve'), limits)).toBeUndefined();
  expect(takeSlot(contextOf('ada'), { ...limits, kind: 'live' })).toBeDefined();
  first?.release();
  first?.release();
  expect(takeSlot(contextOf('eve'), limits)).toBeDefined();
  expect(takeSlot(contextOf('ada'), limits)).toBeUndefined();
});

test('a place is free again when the browser goes away, or the time is over', async () => {
  const contextOf = openContexts();
  const gone = new AbortController();
  const slot = takeSlot(contextOf('ada', gone.signal), limits);
  gone.abort();
  expect(slot?.ending.aborted).toBe(true);
  const late = takeSlot(contextOf('ada'), { ...limits, longestMs: 1 });
  await expect.poll(() => late?.ending.aborted).toBe(true);
  expect(takeSlot(contextOf('ada'), limits)).toBeDefined();
});
