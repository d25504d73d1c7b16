import { serveCarnet } from './carnet-process.ts';
import { type StoreName, startStore } from './stores.ts';
import type { RunningTarget } from './target.ts';

export interface CarnetOptions {
  readonly store: StoreName;
  readonly workers: number;
  /** More of the environment that it is started with. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** Run what `buildCarnet` made. Default: the source. */
  readonly isBuilt?: boolean;
  /** The folder of another clone of this repository, whose server is started. Default: this clone. */
  readonly clone?: string;
  /** Default: `carnet on` its store. */
  readonly name?: string;
}

/** Carnet as it would serve in production, except that its issuer is http on loopback: that takes dev mode. */
export const startCarnetTarget = async ({
  store: storeName,
  workers: wanted,
  env = {},
  name = `carnet on ${storeName}`,
  ...how
}: CarnetOptions): Promise<RunningTarget> => {
  const store = await startStore(storeName);
  // Memory is one process's own.
  const workers = storeName === 'memory' ? 1 : wanted;
  const settings = { ID_TOKEN_ALG: 'ES256', BCRYPT_COST: '8', ...env };
  const serving = serveCarnet({ env: { DATABASE_URL: store.url, ...settings }, workers, ...how });
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
