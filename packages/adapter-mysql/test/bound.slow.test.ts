import { openAdapter } from '@carnet/adapter-mysql';
import { openTestMariadb } from '@carnet/test-servers';
import mysql from 'mysql2/promise';
import { afterAll, describe } from 'vitest';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';
import { withMigrator } from './store.ts';

const server = await openTestMariadb();
const pool = mysql.createPool({ uri: await server.createDatabase(), connectionLimit: 10 });
afterAll(() => pool.end());
await withMigrator({ pool }, (migrator) => migrator.up());
const open = openingBound(() => openAdapter({ pool }));
const store = await open();
afterAll(() => store.close());

describe('a store of one issuer on the pool of an app keeps the laws of the storage port', () => {
  testLaws({ store, open });
});
