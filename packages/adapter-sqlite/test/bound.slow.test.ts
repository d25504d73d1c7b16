import { join } from 'node:path';
import { openAdapter } from '@carnet/adapter-sqlite';
import { afterAll, describe } from 'vitest';
import { folderForTests } from '../../../test/servers/src/folder-for-tests.ts';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';

const url = `sqlite:${join(folderForTests(), 'carnet.db')}`;
const open = openingBound(() => openAdapter({ url }));
const store = await open();
afterAll(() => store.close());

describe('the SQLite adapter of one issuer keeps the laws of the storage port', () => {
  testLaws({ store, open });
});
