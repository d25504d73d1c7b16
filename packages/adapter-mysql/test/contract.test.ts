import { openAdapter } from '@carnet/adapter-mysql';
import { openTestMariadb } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const url = await createStore(await openTestMariadb());
const open = () => openAdapter({ url });
const store = await open();
afterAll(() => store.close());

describe('the MySQL adapter keeps the laws of the storage port on MariaDB', () => {
  testLaws({ store, open });
});
