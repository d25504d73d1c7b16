import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBulk } from './bulk.ts';
import { answer } from './operation.ts';

it('the process does other work between the operations, also if a store answers at once', async () => {
  let performed = 0;
  const perform = async () => {
    performed += 1;
    return answer(204, undefined);
  };
  const bulk = createBulk({ baseUrl: 'https://id.example.com/scim/v2', perform, onError: () => undefined });
  const operations = Array.from({ length: 50 }, (_, index) => ({ method: 'DELETE', path: `/Users/${index}` }));
  const request = { method: 'POST', path: '/Bulk', query: new URLSearchParams(), headers: {} };
  const all = bulk({ ...request, json: async () => ({ Operations: operations }) });
  await nextTurn();
  await nextTurn();
  expect(performed).toBeLessThan(10);
  await all;
  expect(performed).toBe(50);
});
