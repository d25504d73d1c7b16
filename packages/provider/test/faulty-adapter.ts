import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { createFaults, type Faults } from './faults.ts';

/**
 * A store that can be made slow, be held up or fail. Operations are called `read`, `commit` and, by what they touch,
 * `read session`, `claim authorization_code`. A read is held up after it has read, a commit before it is made.
 */
export const faultyAdapter = (
  store: StorageAdapter = openMemoryAdapter(),
): { readonly adapter: StorageAdapter; readonly faults: Faults } => {
  const faults = createFaults();
  return {
    faults,
    adapter: {
      ...store,
      async read(keys) {
        const records = await store.read(keys);
        await faults.pass(['read', ...keys.map(({ kind }) => `read ${kind}`)]);
        return records;
      },
      async commit(writes) {
        const names = writes.map((write) => {
          if (write.type === 'revoke') return 'revoke';
          return `${write.type} ${'record' in write ? write.record.kind : write.key.kind}`;
        });
        await faults.pass(['commit', ...names]);
        return store.commit(writes);
      },
      async list(query) {
        await faults.pass(['list']);
        return store.list(query);
      },
      ping: () => faults.pass(['ping']),
    },
  };
};
