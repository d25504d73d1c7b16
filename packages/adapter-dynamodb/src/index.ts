import type { StorageAdapter } from '@carnet/adapter-contract';
import { openDynamoDbAdapter } from './dynamodb-adapter.ts';

export type { ConsumedCapacity } from './consumed.ts';
export { type DynamoDbAdapterOptions, openDynamoDbAdapter } from './dynamodb-adapter.ts';
export { openMigrator } from './migrator.ts';

/**
 * Opens the store at a URL `dynamodb://<region>/<table>[?endpoint=...]`. The credentials are those of the AWS SDK's default
 * chain.
 *
 * @throws StoreUnfitError if the URL is not valid
 * @example
 * const adapter = await openAdapter({ url: 'dynamodb://eu-west-1/carnet' });
 * const carnet = await createProvider(config, { adapter });
 */
export const openAdapter = async (options: { readonly url: string }): Promise<StorageAdapter> =>
  openDynamoDbAdapter(options);
