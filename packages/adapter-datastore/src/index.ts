import type { StorageAdapter } from '@carnet/adapter-contract';
import { openDatastoreAdapter } from './datastore-adapter.ts';

export { type DatastoreAdapterOptions, openDatastoreAdapter } from './datastore-adapter.ts';

/**
 * Opens the store at a URL `datastore:<project>[/<database>][?namespace=...]`. It uses Application Default Credentials,
 * or an emulator if `DATASTORE_EMULATOR_HOST` names one.
 *
 * @throws StoreUnfitError if the URL is not valid
 * @example
 * const carnet = await createProvider(config, { adapter: await openAdapter({ url: 'datastore:my-project' }) });
 */
export const openAdapter = async (options: { readonly url: string }): Promise<StorageAdapter> =>
  openDatastoreAdapter(options);
