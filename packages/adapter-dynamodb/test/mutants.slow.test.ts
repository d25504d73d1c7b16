import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { afterAll, describe, test } from 'vitest';
import { casesFor, expectBroken } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const server = await startDynamoDb();
afterAll(() => server.close());

/** Mutants whose defect shows only on a store that answers within a millisecond. */
const onlyOnMemory = ['expires-after-its-instant', 'locks-in-the-process'];

const cases = casesFor('all');

describe('the laws detect each defective store on DynamoDB', () => {
  const isFast = ({ name }: { readonly name: string }) => onlyOnMemory.includes(name);
  test.skip.for(cases.filter(isFast))('$name (needs a store that answers within a millisecond)', () => {});
  test.for(cases.filter((mutant) => !isFast(mutant)))('$breaks detects $name', async ({ law, wrap }) => {
    const url = await createStore(server, '&expiry=sweep');
    const open = async () => wrap(await closing(openAdapter({ url })));
    await expectBroken(law, { store: await open(), open });
  });
});
