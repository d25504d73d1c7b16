import { javaHome, keycloakVersion, startKeycloak as startServer } from '@carnet/test-servers';
import { startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import { realms, representationOf } from './realm.ts';

const heap = ['-Xms1g', '-Xmx1g'];

/** Keycloak on Postgres. */
export const startKeycloak = async (): Promise<RunningTarget> => {
  const store = await startStore('postgres');
  const { url, pid, post, close } = await startServer({ database: store.url, heap });
  for (const realm of realms) await post('/realms', representationOf(realm));
  return {
    name: 'keycloak',
    publicUrl: url,
    adminUrl: url,
    processIds: [pid],
    storeProcessIds: store.processIds,
    settings: {
      version: keycloakVersion,
      store: store.version,
      durability: store.durability,
      heap: heap.join(' '),
      JAVA_HOME: javaHome() ?? 'java on PATH',
    },
    stop: async () => {
      await close();
      await store.stop();
    },
  };
};
