import { expect, it } from 'vitest';
import { createRequestIds } from './request-id.ts';

it('names each request differently, in each process, with what may stand in a header', () => {
  const [one, other] = [createRequestIds(), createRequestIds()];
  const ids = [one(), one(), other(), other()];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
});
