import { createIssuers, type FoundIssuer, type Issuers } from '@carnet/issuers';

const tenants: ReadonlySet<string> = new Set(Array.from({ length: 1_000 }, (_, index) => `tenant-${index + 1}`));

const clientOf = (name: string) => ({
  client_id: 'app',
  client_secret: `secret-of-the-app-of-${name}`,
  redirect_uris: ['http://127.0.0.1:9999/callback'],
});

/** The brands `shop` and `travel`, and the tenants. */
export const openIssuers = (origin: string): Promise<Issuers> => {
  const issuerOf = (name: string, path: string) => ({
    issuer: `${origin}/${path}`,
    clients: [clientOf(name)],
    urls: { login: `${origin}/pages/${name}/login`, consent: `${origin}/pages/${name}/consent` },
  });
  const tenantNamed = (name = ''): FoundIssuer | undefined =>
    tenants.has(name) ? { name, ...issuerOf(name, `t/${name}`) } : undefined;
  return createIssuers(
    {
      dev: true,
      issuer: origin,
      storage: { default: 'memory:' },
      keys: { source: 'store' },
      limits: { requestsPerSecond: 500, openIssuers: 50 },
      issuers: { shop: issuerOf('shop', 'shop'), travel: { ...issuerOf('travel', 'travel'), ttl: { idToken: 600 } } },
    },
    {
      // In your application, read these from your database.
      issuerAt: (_host, path) => tenantNamed(/^(?:\/\.well-known\/[\w-]+)?\/t\/([^/]+)/.exec(path)?.[1]),
      issuerNamed: tenantNamed,
    },
  );
};
