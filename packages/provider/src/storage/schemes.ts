const schemesOf: Readonly<Record<string, readonly string[]>> = {
  '@carnet/adapter-memory': ['memory'],
  '@carnet/adapter-sqlite': ['sqlite'],
  '@carnet/adapter-postgres': ['postgres', 'postgresql'],
  '@carnet/adapter-mysql': ['mysql', 'mariadb'],
  '@carnet/adapter-redis': ['redis', 'rediss', 'redis-cluster', 'redis-sentinel', 'rediss-cluster', 'rediss-sentinel'],
  '@carnet/adapter-datastore': ['datastore'],
};

/** Which package serves a scheme. */
export const adapterPackages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(schemesOf).flatMap(([name, schemes]) => schemes.map((scheme) => [scheme, name])),
);

/** The schemes of a store's URL. */
export const storageSchemes: readonly string[] = Object.keys(adapterPackages);

export const schemeOf = (url: string): string => url.split(':', 1)[0] ?? '';
