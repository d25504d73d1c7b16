import { expect, it } from 'vitest';
import { createCheckTimes } from './check-times.ts';

it('a refusal before the first check does not wait', () => {
  expect(createCheckTimes().rest(0)).toBe(0);
});

it('a pause of the server is forgotten after the next check of the user', () => {
  const times = createCheckTimes();
  times.note('ada', 60_000);
  times.note('ada', 100);
  expect(times.rest(20)).toBe(80);
});

it('a refusal never waits longer than a second', () => {
  const times = createCheckTimes();
  times.note('ada', 60_000);
  times.note('ada', 60_000);
  expect(times.rest(0)).toBe(1_000);
});

it('one user does not displace the others, however often the password is checked', () => {
  const times = createCheckTimes();
  times.note('dora', 100);
  for (let count = 0; count < 1_000; count += 1) times.note('eve', 1);
  expect(times.rest(0)).toBe(100);
  for (let count = 0; count < 100; count += 1) times.note(`user${count}`, 1);
  expect(times.rest(0)).toBe(1);
});
