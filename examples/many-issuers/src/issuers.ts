import { type Carnet, createProvider } from '@carnet/provider';

export interface IssuersOptions {
  /** Such as `https://id.example.com`. The issuer of a tenant is `<origin>/t/<tenant>`. */
  readonly origin: string;
  /** Whether a tenant exists. In your application, read this from your database. */
  readonly hasTenant: (tenant: string) => boolean;
  /** The store of a tenant. Two issuers must never share one. */
  readonly storeOf: (tenant: string) => string;
}

export interface Issuers {
  /** The issuer of a tenant, opened at the first call. Undefined if there is no such tenant. */
  find(tenant: string): Promise<Carnet> | undefined;
  close(): Promise<void>;
}

/** Issuers that are opened when they are first needed, and stay open. */
export const createIssuers = ({ origin, hasTenant, storeOf }: IssuersOptions): Issuers => {
  const issuers = new Map<string, Promise<Carnet>>();

  const open = (tenant: string): Promise<Carnet> => {
    const issuer = `${origin}/t/${tenant}`;
    const opening = createProvider({
      dev: true, // Keys are generated at each start. In production: `keys`, and `secrets.system` of each tenant.
      issuer,
      urls: { login: `${issuer}/login`, consent: `${issuer}/consent` },
      storage: { default: storeOf(tenant) },
      log: { level: 'warn' },
      clients: [
        {
          client_id: 'shop',
          client_secret: `secret-of-the-shop-of-${tenant}`,
          redirect_uris: ['http://127.0.0.1:9999/callback'],
          scope: 'openid email',
        },
      ],
    });
    issuers.set(tenant, opening);
    // The next request tries again.
    opening.catch(() => issuers.delete(tenant));
    return opening;
  };

  return {
    find: (tenant) => issuers.get(tenant) ?? (hasTenant(tenant) ? open(tenant) : undefined),
    async close() {
      const opened = await Promise.allSettled(issuers.values());
      await Promise.all(opened.map((each) => each.status === 'fulfilled' && each.value.close()));
    },
  };
};
