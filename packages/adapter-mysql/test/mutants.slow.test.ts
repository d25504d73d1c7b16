import { openAdapter } from '@carnet/adapter-mysql';
import { openTestMariadb } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { describe, test } from 'vitest';
import { casesFor, expectBroken } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const url = await createStore(await openTestMariadb());

/** Mutants whose defect shows only on a store that answers within a millisecond, or in a fixed order. */
const onlyOnMemory = ['consume-looks-then-writes', 'joins-a-read-under-way', 'locks-in-the-process'];
const isFast = ({ name }: { readonly name: string }): boolean => onlyOnMemory.includes(name);
const cases = casesFor('all');

describe('the laws detect each defective store on MariaDB', () => {
  test.skip.for(cases.filter(isFast))('$name (needs a store that answers within a millisecond)', () => {});
  // A defect that is a race does not show in every round.
  test.for(cases.filter((mutant) => !isFast(mutant)))('$breaks detects $name', { retry: 9 }, async ({ law, wrap }) => {
    const open = async () => wrap(await closing(openAdapter({ url })));
    await expectBroken(law, { store: await open(), open });
  });
});
