import { expect, it } from 'vitest';
import { createCheckTimes } from './check-times.ts';

const waited = async (times: ReturnType<typeof createCheckTimes>, ms = 0): Promise<number> => {
  const began = performance.now();
  await times.wait(ms);
  return performance.now() - began;
};

it('a refusal before the first check does not wait', async () => {
  expect(await waited(createCheckTimes())).toBeLessThan(50);
});

it('a pause of the server is forgotten after the next check of the user', async () => {
  const times = createCheckTimes();
  times.note('ada', 60_000);
  times.note('ada', 100);
  const wait = await waited(times, 20);
  expect(wait).toBeGreaterThan(75);
  expect(wait).toBeLessThan(900);
});

it('one user does not displace the others, however often the password is checked', async () => {
  const times = createCheckTimes();
  times.note('dora', 100);
  for (let count = 0; count < 1_000; count += 1) times.note('eve', 1);
  expect(await waited(times)).toBeGreaterThan(95);
  for (let count = 0; count < 100; count += 1) times.note(`user${count}`, 1);
  expect(await waited(times)).toBeLessThan(50);
});
