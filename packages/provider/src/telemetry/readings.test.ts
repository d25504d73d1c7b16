import { expect, it } from 'vitest';
import { createClientCounts } from './readings.ts';

it('the counts of providers are added up, and those of a closed one are kept', () => {
  const counts = createClientCounts();
  const end = counts.add(() => ({ clientReads: 3, clientParses: 2, clientInstantiations: 1 }));
  counts.add(() => ({ clientReads: 10, clientParses: 10, clientInstantiations: 10 }));
  counts.add(() => undefined);
  const total = { clientReads: 13, clientParses: 12, clientInstantiations: 11 };
  expect(counts.total()).toEqual(total);
  end();
  end();
  expect(counts.total()).toEqual(total);
});
