import type { StorageAdapter } from '@carnet/adapter-contract';
import { type ProviderProcess, type StartOptions, startProvider } from './provider-process.ts';
import { openTestStore, type TestStore } from './test-stores.ts';
import { registerClients } from './token-requests.ts';

/** Two processes of one provider on one store, the clients of the tests registered. */
export interface Pair {
  readonly adapter: StorageAdapter;
  readonly processes: readonly [ProviderProcess, ProviderProcess];
  stop(): Promise<void>;
}

export const startPair = async (
  start: () => Promise<Pick<TestStore, 'storage'> & Partial<Pick<StartOptions, 'config'>>>,
): Promise<Pair> => {
  const store = await start();
  const processes = await Promise.all([startProvider(store), startProvider(store)]);
  const adapter = await openTestStore(store);
  for (const each of processes) await registerClients(adapter, each);
  return {
    adapter,
    processes,
    async stop() {
      await Promise.all(processes.map((each) => each.kill()));
      await adapter.close();
    },
  };
};
