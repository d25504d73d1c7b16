import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clockSkewSeconds } from '../../src/clock.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Answer, refusal, userinfo } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import type { Instance } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
import { type Json, login, refresh } from '../login.ts';

const isAlive = async (instance: Instance, accessToken: unknown): Promise<boolean> =>
  (await userinfo(instance, accessToken)).status === 200;

/** What is left of a grant: which of these access tokens work, and whether any of these refresh tokens does. */
const isRevoked = async (instance: Instance, client: TestClient, tokens: readonly Json[]): Promise<boolean> => {
  for (const { access_token, refresh_token } of tokens) {
    if (await isAlive(instance, access_token)) return false;
    const { status, body } = await refresh(instance, client, refresh_token);
    if (status !== 400 || body.error !== 'invalid_grant') return false;
  }
  return true;
};

const successorsOf = (answers: readonly Answer[]): Set<unknown> =>
  new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.refresh_token));
const inParallel = (count: number, run: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, run));
const sorted = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

/** D2, and what a refresh token used twice means (RFC 9700, section 4.14.2). */
describe.each([10, 0])('refresh tokens with a grace period of %i seconds', (refreshGraceSeconds) => {
  let first: Json;
  let laterMs = 0;
  const { adapter, faults } = faultyAdapter();
  faults.latencyMs = 10;
  const tokens = { refreshGraceSeconds };
  const instance = startBeforeTests({ adapter, config: { tokens }, now: () => Date.now() + laterMs });
  const client = registerBeforeTests(instance, 'app');

  beforeEach(async () => {
    laterMs = 0;
    first = await login(instance, client);
  });
  afterEach(() => expect(secretsIn(instance.log())).toEqual([]));

  const use = () => refresh(instance, client, first.refresh_token);

  test('rotate at every use, and every successor works', async () => {
    const second = (await use()).body;
    const third = await refresh(instance, client, second.refresh_token);
    expect(third.status).toBe(200);
    expect(new Set([first.refresh_token, second.refresh_token, third.body.refresh_token]).size).toBe(3);
    expect(await isAlive(instance, third.body.access_token)).toBe(true);
  });

  if (refreshGraceSeconds > 0) {
    test('give exactly one more use the same successor; the third use revokes everything', {
      tags: ['D2'],
    }, async () => {
      const answers = [await use(), await use()];
      expect(sorted(answers)).toEqual([200, 200]);
      expect(successorsOf(answers).size).toBe(1);
      for (const { body } of answers) expect(await isAlive(instance, body.access_token)).toBe(true);
      expect(await use()).toMatchObject(refusal('invalid_grant'));
      expect(await isRevoked(instance, client, [first, ...answers.map(({ body }) => body)])).toBe(true);
    });

    test('give 2 parallel uses the same successor, which works', { tags: ['D2'] }, async () => {
      const answers = await inParallel(2, use);
      expect([sorted(answers), successorsOf(answers).size]).toEqual([[200, 200], 1]);
      expect((await refresh(instance, client, answers[0]?.body.refresh_token)).status).toBe(200);
    });

    test('of 5 parallel uses at most two are answered, alike, and everything is revoked', {
      tags: ['D2'],
    }, async () => {
      const answers = await inParallel(5, use);
      expect(sorted(answers)).toEqual([200, 200, 400, 400, 400]);
      expect(successorsOf(answers).size).toBe(1);
      expect(await isRevoked(instance, client, [first, ...answers.map(({ body }) => body)])).toBe(true);
    });

    test('a use that has begun before everything is revoked, and ends after it, gets nothing', async () => {
      const second = await use();
      const hold = faults.holdNext('claim replay');
      const slow = use();
      await hold.reached;
      const [third, fourth] = [await use(), await use()];
      hold.release();
      expect([second, third, fourth, await slow].map(({ status }) => status)).toEqual([200, 200, 400, 400]);
    });

    test('a use in the grace period, after the successor was used, is reuse: everything is revoked', async () => {
      const second = (await use()).body;
      const third = (await refresh(instance, client, second.refresh_token)).body;
      expect(await use()).toMatchObject(refusal('invalid_grant'));
      expect(await isRevoked(instance, client, [first, second, third])).toBe(true);
    });
  } else {
    test('of 2 parallel uses exactly one wins, and everything is revoked', { tags: ['D2'] }, async () => {
      const answers = await inParallel(2, use);
      expect(sorted(answers)).toEqual([200, 400]);
      expect(await isRevoked(instance, client, [first, ...answers.map(({ body }) => body)])).toBe(true);
    });

    test('a second use revokes everything', { tags: ['D2'] }, async () => {
      const second = (await use()).body;
      expect(await use()).toMatchObject(refusal('invalid_grant'));
      expect(await isRevoked(instance, client, [first, second])).toBe(true);
    });
  }

  test('revoke everything when one comes back after the grace period', async () => {
    const second = (await use()).body;
    laterMs = (refreshGraceSeconds + clockSkewSeconds + 1) * 1_000;
    expect(await use()).toMatchObject(refusal('invalid_grant'));
    expect(await isRevoked(instance, client, [first, second])).toBe(true);
  });

  test('are of no use to another client, which burns nothing', async () => {
    const other = await registerClient(instance, 'other');
    expect(await refresh(instance, other, first.refresh_token)).toMatchObject(refusal('invalid_grant'));
    expect((await use()).status).toBe(200);
  });
});

describe('refresh tokens that may be used three times more', () => {
  const { adapter, faults } = faultyAdapter();
  faults.latencyMs = 5;
  const tokens = { refreshGraceSeconds: 60, refreshGraceReuseCount: 3 };
  const instance = startBeforeTests({ adapter, config: { tokens } });
  const client = registerBeforeTests(instance, 'three');

  const use = (first: Json) => refresh(instance, client, first.refresh_token);

  test('give the same successor each time, and the fifth use revokes everything', async () => {
    const first = await login(instance, client);
    const answers: Answer[] = [];
    for (const _ of [1, 2, 3, 4]) answers.push(await use(first));
    expect(sorted(answers)).toEqual([200, 200, 200, 200]);
    expect(successorsOf(answers).size).toBe(1);
    expect(await use(first)).toMatchObject(refusal('invalid_grant'));
    expect(await isRevoked(instance, client, [first, ...answers.map(({ body }) => body)])).toBe(true);
  });

  test('give 4 parallel uses the same successor, which works', async () => {
    const first = await login(instance, client);
    const answers = await inParallel(4, () => use(first));
    expect([sorted(answers), successorsOf(answers).size]).toEqual([[200, 200, 200, 200], 1]);
    for (const { body } of answers) expect(await isAlive(instance, body.access_token)).toBe(true);
    expect((await refresh(instance, client, answers[0]?.body.refresh_token)).status).toBe(200);
  });

  test('of 9 parallel uses at most four are answered, alike, and everything is revoked', async () => {
    const first = await login(instance, client);
    const answers = await inParallel(9, () => use(first));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
    expect(successorsOf(answers).size).toBeLessThanOrEqual(1);
    expect(await isRevoked(instance, client, [first, ...answers.map(({ body }) => body)])).toBe(true);
  });

  test('cost no more round trips for the third use than for the first but a read', async () => {
    const first = await login(instance, client);
    const trips: number[] = [];
    for (const _ of [1, 2, 3, 4]) {
      instance.calls.reset();
      await use(first);
      trips.push(instance.calls.trips());
    }
    expect(trips).toEqual([2, 3, 3, 3]);
  });
});
