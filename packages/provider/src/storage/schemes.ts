/** Which package serves a scheme. */
export const adapterPackages: Readonly<Record<string, string>> = {
  memory: '@carnet/adapter-memory',
  sqlite: '@carnet/adapter-sqlite',
  postgres: '@carnet/adapter-postgres',
  postgresql: '@carnet/adapter-postgres',
  redis: '@carnet/adapter-redis',
  rediss: '@carnet/adapter-redis',
  'redis-cluster': '@carnet/adapter-redis',
  'redis-sentinel': '@carnet/adapter-redis',
  'rediss-cluster': '@carnet/adapter-redis',
  'rediss-sentinel': '@carnet/adapter-redis',
  datastore: '@carnet/adapter-datastore',
  dynamodb: '@carnet/adapter-dynamodb',
};

/** The schemes of a store's URL. */
export const storageSchemes: readonly string[] = Object.keys(adapterPackages);

export const schemeOf = (url: string): string => url.split(':', 1)[0] ?? '';
