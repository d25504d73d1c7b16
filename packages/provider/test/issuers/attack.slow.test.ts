import { join } from 'node:path';
import { openAdapter as openDatastore } from '@carnet/adapter-datastore';
import { openAdapter as openSqlite } from '@carnet/adapter-sqlite';
import { openTestRedis, startDatastore } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { type StorageConfig, storageSchema } from '../../src/storage/config.ts';
import { openMigrators } from '../../src/storage/open-storage.ts';
import { openTestStore, testStores } from '../stores/test-stores.ts';
import { attackIssuers } from './attack.ts';

attackIssuers('SQLite', () => openSqlite({ url: `sqlite:${join(folderForTests(), 'carnet.db')}` }));

attackIssuers('Datastore', async () => {
  const { host, projectId, close } = await startDatastore();
  const store = await openDatastore({ url: `datastore:${projectId}?endpoint=${host}&timeout=30000` });
  return {
    ...store,
    close: async () => {
      await store.close();
      await close();
    },
  };
});

const stores = { ...testStores, Redis: async () => ({ storage: { default: await openTestRedis() } }) };

for (const [name, create] of Object.entries(stores)) {
  attackIssuers(name, async () => {
    const { storage } = await create();
    const migrators = await openMigrators(storageSchema.parse(storage) as StorageConfig);
    for (const migrator of migrators.values()) {
      await migrator.up();
      await migrator.close();
    }
    return openTestStore({ storage });
  });
}
