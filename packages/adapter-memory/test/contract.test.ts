import { openAdapter } from '@carnet/adapter-memory';
import { afterAll, describe } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';

const open = () => openAdapter({ url: 'memory:' });
const store = await open();
afterAll(() => store.close());

describe('the memory adapter keeps the laws of the storage port', () => {
  testLaws({ store, open });
});
