import { describe, expect, it } from 'vitest';
import { createAssertionKeys } from './assertion-keys.ts';

type Page = Awaited<ReturnType<Parameters<typeof createAssertionKeys>[0]['adapter']['list']>>;

const empty: Page = { records: [] };
const nameOf = (issuer: string) => ({ issuer, subject: 'alice', alg: 'ES256', kid: undefined });
const readNothing = async () => undefined;

describe('the kept list of trusted issuers', () => {
  it('the list is read again after a store that failed while another read was under way', async () => {
    let nowMs = 0;
    let lists = 0;
    const slow = Promise.withResolvers<Page>();
    const answers: (() => Promise<Page>)[] = [
      async () => empty,
      () => slow.promise,
      () => Promise.reject(new Error('the store does not answer')),
    ];
    const list = (): Promise<Page> => (answers[lists++] ?? (async () => empty))();
    const keysFor = createAssertionKeys({ adapter: { list }, now: () => nowMs });
    const waiting = keysFor(nameOf('https://one.test'), readNothing);
    // The first list has been answered, and the second is asked for.
    await expect.poll(() => lists).toBe(2);
    nowMs += 5_000;
    await expect(keysFor(nameOf('https://two.test'), readNothing)).rejects.toThrow('the store does not answer');
    slow.resolve(empty);
    expect(await waiting).toEqual([]);
    const ask = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n += 1) await keysFor(nameOf(`https://unknown-${n}.test`), readNothing);
    };
    await ask(60);
    const before = lists;
    nowMs += 5_000;
    await ask(1);
    expect(lists).toBeGreaterThan(before);
  });
});
