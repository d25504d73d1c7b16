import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Deadline, withDeadline } from '../sql/deadline.ts';
import { createGatherer, type GatherOptions } from './gather.ts';

interface Call {
  readonly name: string;
}

/** A store that answers when it is told to; what it was sent, statement by statement. */
const createBench = (options: Partial<GatherOptions<Call, string, Deadline>> = {}) => {
  const sent: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const run = async (names: string): Promise<void> => {
    sent.push(names);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    await answer.promise;
  };
  const gatherer = createGatherer<Call, string, Deadline>({
    concurrency: () => 1,
    choose: (waiting) => [...waiting],
    async together(calls) {
      await run(calls.map(({ name }) => name).join());
      return calls.map(({ name }) => `${name} together`);
    },
    async alone({ name }) {
      await run(name);
      return `${name} alone`;
    },
    mayFollow: () => false,
    ...options,
  });
  const call = (name: string, timeoutMs = 5_000): Promise<string> =>
    withDeadline(timeoutMs, (deadline) => gatherer.call({ name }, deadline));
  const untilSent = async (...expected: string[]) => {
    while (sent.length < expected.length) await pause(1);
    expect(sent).toEqual(expected);
  };
  const answerNext = () => answers.shift() as PromiseWithResolvers<void>;
  return { call, sent, untilSent, answerNext };
};

test('a call by itself is carried out by itself', async () => {
  const { call, untilSent, answerNext } = createBench();
  const only = call('a');
  await untilSent('a');
  answerNext().resolve();
  expect(await only).toBe('a alone');
});

test('what comes when nothing is under way is sent before anything else happens', () => {
  const { call, sent } = createBench();
  call('a').catch(() => {});
  expect(sent).toEqual(['a']);
});

test('calls of one turn go out together, but for the first, and what comes meanwhile together with the next', async () => {
  const { call, untilSent, answerNext } = createBench({ concurrency: () => 2 });
  const calls = [call('a'), call('b'), call('c')];
  await untilSent('a', 'b,c');
  calls.push(call('d'), call('e'));
  answerNext().resolve();
  await untilSent('a', 'b,c', 'd,e');
  answerNext().resolve();
  answerNext().resolve();
  expect(await Promise.all(calls)).toEqual(['a alone', 'b together', 'c together', 'd together', 'e together']);
});

test('what is given up on while it waits is never sent', async () => {
  const { call, untilSent, answerNext } = createBench({ choose: (waiting) => [...waiting].slice(0, 1) });
  const [first, hasty, last] = [call('first'), call('hasty', 5), call('last')];
  await untilSent('first');
  await expect(hasty).rejects.toThrow('within 5 ms');
  answerNext().resolve();
  await untilSent('first', 'last');
  answerNext().resolve();
  expect(await Promise.all([first, last])).toEqual(['first alone', 'last alone']);
});

/** The first call of an idle store goes by itself: those after it are the ones that meet. */
const meet = (bench: ReturnType<typeof createBench>, ...calls: readonly Parameters<typeof bench.call>[]) => {
  bench.call('first').catch(() => {});
  return Promise.allSettled(calls.map((call) => bench.call(...call)));
};

const fulfilled = (value: string) => ({ status: 'fulfilled', value });

test('a call that is given up on after it was sent leaves the others their answers', async () => {
  const bench = createBench({ concurrency: () => 2 });
  const { untilSent, answerNext } = bench;
  const met = meet(bench, ['hasty', 5], ['patient']);
  await untilSent('first', 'hasty,patient');
  await pause(10);
  answerNext();
  answerNext().resolve();
  expect((await met).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a call that is no longer awaited when it could be sent is left out, and the others are sent together', async () => {
  const connected = Promise.withResolvers<void>();
  const sent: string[] = [];
  const bench = createBench({
    concurrency: () => 2,
    async together(calls, areAwaited) {
      await connected.promise;
      if (!areAwaited()) return undefined;
      sent.push(calls.map(({ name }) => name).join());
      return calls.map(({ name }) => `${name} together`);
    },
  });
  const met = meet(bench, ['hasty', 5], ['patient'], ['calm']);
  await bench.untilSent('first');
  await pause(10);
  connected.resolve();
  expect(await met).toEqual([
    { status: 'rejected', reason: expect.any(Error) },
    fulfilled('patient together'),
    fulfilled('calm together'),
  ]);
  expect(sent).toEqual(['patient,calm']);
});

test('what waited behind a call that is given up waits no longer', async () => {
  const bench = createBench({
    concurrency: () => 2,
    choose: (waiting) => {
      const calls = [...waiting];
      return calls.some(({ name }) => name === 'held up') ? [] : calls;
    },
  });
  // Longer than a statement may take before others stop waiting for it.
  const met = meet(bench, ['held up', 60], ['behind']);
  await bench.untilSent('first', 'behind');
  for (let n = 0; n < 2; n++) bench.answerNext().resolve();
  expect(await met).toEqual([{ status: 'rejected', reason: expect.any(Error) }, fulfilled('behind alone')]);
});

test('when nothing was done, each is carried out by itself', async () => {
  const bench = createBench({ concurrency: () => 2, together: async () => undefined });
  const { untilSent, answerNext } = bench;
  const met = meet(bench, ['a'], ['b']);
  await untilSent('first', 'a', 'b');
  for (let n = 0; n < 3; n++) answerNext().resolve();
  expect(await met).toEqual([fulfilled('a alone'), fulfilled('b alone')]);
});

test('after a failure those follow by themselves that may, and the others are told of it', async () => {
  const bench = createBench({ concurrency: () => 2, mayFollow: ({ name }) => name === 'b' });
  const { untilSent, answerNext } = bench;
  const met = meet(bench, ['a'], ['b'], ['c']);
  await untilSent('first', 'a,b,c');
  answerNext();
  const failure = new Error('lost');
  answerNext().reject(failure);
  await untilSent('first', 'a,b,c', 'b');
  answerNext().resolve();
  const rejected = { status: 'rejected', reason: failure };
  expect(await met).toEqual([rejected, fulfilled('b alone'), rejected]);
});

test('a call that fails by itself fails alone', async () => {
  const bench = createBench({ concurrency: () => 2, together: async () => undefined });
  const { untilSent, answerNext } = bench;
  const met = meet(bench, ['a'], ['b']);
  await untilSent('first', 'a', 'b');
  answerNext();
  answerNext().reject(new Error('refused'));
  answerNext().resolve();
  expect((await met).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a statement that takes long holds up no other', async () => {
  const { call, untilSent, answerNext } = createBench();
  const stuck = call('stuck');
  await untilSent('stuck');
  const next = call('next');
  await untilSent('stuck', 'next');
  const [first, second] = [answerNext(), answerNext()];
  second.resolve();
  expect(await next).toBe('next alone');
  // It counts no more when it ends at last: still one at a time.
  first.resolve();
  expect(await stuck).toBe('stuck alone');
  const others = [call('third')];
  await untilSent('stuck', 'next', 'third');
  others.push(call('fourth'));
  answerNext().resolve();
  await untilSent('stuck', 'next', 'third', 'fourth');
  answerNext().resolve();
  await Promise.all(others);
});
