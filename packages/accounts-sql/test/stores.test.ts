import { attemptLaws, factorStoreLaws } from '@carnet/accounts/second-factors/laws';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAttemptStore, createFactorStore } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';
import { inProcesses } from './process.ts';

const { createUrl } = useDatabases();

describe.each(engines)('in %s', (engine) => {
  let url: string;
  beforeAll(async () => {
    url = await createUrl(engine);
  });

  it.each(factorStoreLaws)('the factor store keeps $name', async ({ check }) => {
    const [database, second] = [await openUntilEnd(url), await openUntilEnd(url)];
    await check({ store: createFactorStore({ database }), other: createFactorStore({ database: second }) });
  });

  it.each(attemptLaws)('the attempt store keeps $name', async ({ check }) => {
    const [database, second] = [await openUntilEnd(url), await openUntilEnd(url)];
    await check({ store: createAttemptStore({ database }), other: createAttemptStore({ database: second }) });
  });

  it('lets one of four processes claim each id, and one use each version of a factor, and counts the attempts of all', {
    timeout: 60_000,
  }, async () => {
    const answers = (await inProcesses(4, url)) as { claims: string[]; updates: number[]; counts: number[] }[];
    const ids = Array.from({ length: 40 }, (_, index) => `contested-${index}`);
    expect(answers.flatMap(({ claims }) => claims).toSorted()).toEqual(ids.toSorted());
    const versions = answers.flatMap(({ updates }) => updates).toSorted((one, other) => one - other);
    expect(versions).toEqual(Array.from({ length: versions.length }, (_, index) => index + 2));
    expect(versions.length).toBeGreaterThanOrEqual(20);
    const counts = answers.flatMap((answer) => answer.counts).toSorted((one, other) => one - other);
    expect(counts).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it('sweeps claims, attempts and cached users that have expired, and no others', async () => {
    let time = Date.now();
    const database = await openUntilEnd(await createUrl(engine), () => time);
    const [factors, attempts] = [createFactorStore({ database }), createAttemptStore({ database, now: () => time })];
    await factors.claim('short', time + 1_000);
    await factors.claim('long', time + 3_600_000);
    await attempts.increment('short', 1);
    await attempts.increment('long', 3_600);
    expect(await database.sweep()).toBe(0);
    time += 1_200_000;
    expect(await database.sweep()).toBe(2);
    expect(await factors.claim('long', time + 1)).toBe(false);
    expect((await attempts.increment('long', 1)).count).toBe(2);
  });
});
