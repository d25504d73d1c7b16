import { openAdapter } from '@carnet/adapter-mysql';
import { openTestMariadb } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { describe, test } from 'vitest';
import { casesFor, expectBroken } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const url = await createStore(await openTestMariadb());

describe('the laws detect each defective store on MariaDB', () => {
  test.for(casesFor('all'))('$breaks detects $name', async ({ law, wrap }) => {
    const open = async () => wrap(await closing(openAdapter({ url })));
    await expectBroken(law, { store: await open(), open });
  });
});
