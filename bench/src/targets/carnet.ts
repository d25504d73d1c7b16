import { type ServeOptions, serveCarnet } from './carnet-process.ts';
import { type StoreName, startStore } from './stores.ts';
import type { RunningTarget } from './target.ts';

export interface CarnetOptions extends Pick<ServeOptions, 'nodeOptions' | 'isBuilt' | 'clone'> {
  readonly store: StoreName;
  readonly workers: number;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `carnet on` its store. */
  readonly name?: string;
}

/** Carnet as in production, except for dev mode: its issuer is http on loopback. */
export const startCarnetTarget = async ({
  store: storeName,
  workers: wanted,
  env = {},
  name = `carnet on ${storeName}`,
  ...how
}: CarnetOptions): Promise<RunningTarget> => {
  const store = await startStore(storeName);
  // Processes cannot share the memory store.
  const workers = storeName === 'memory' ? 1 : wanted;
  const settings = { ID_TOKEN_ALG: 'ES256', CLIENT_SECRETS_BCRYPT_COST: '8', ...env };
  const serving = serveCarnet({ env: { DATABASE_URL: store.url, ...store.env, ...settings }, workers, ...how });
  const { publicUrl, adminUrl, processId, stop } = await serving.catch(async (error: unknown) => {
    await store.stop();
    throw error;
  });
  return {
    name,
    publicUrl,
    adminUrl,
    processIds: [processId],
    storeProcessIds: store.processIds,
    settings: { store: store.version, workers, durability: store.durability, ...settings },
    stop: async () => {
      await stop();
      await store.stop();
    },
  };
};
