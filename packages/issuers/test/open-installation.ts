import { createServer } from 'node:http';
import { join } from 'node:path';
import { type CreateIssuersOptions, createIssuers, type IssuerInput, type IssuersInput } from '@carnet/issuers';
import { openTestPostgres } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { listen } from '@carnet/test-servers/listen';
import { onTestFinished } from 'vitest';
import { redirectUri, type TestClient } from '../../provider/test/clients.ts';
import type { Endpoints } from '../../provider/test/login.ts';

export const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, fatal: () => {} };

/** The keys of all issuers. */
export const base: Omit<IssuersInput, 'issuer'> = {
  dev: true,
  secrets: { system: ['a system secret of the tests, long enough'] },
  keys: { source: 'store', idTokenAlg: 'ES256', algorithms: ['ES256'] },
  urls: { login: 'http://login.test/login', consent: 'http://login.test/consent', logout: 'http://login.test/logout' },
  clientSecrets: { bcryptCost: 4 },
};

/** The URLs of stores that several issuers share. */
export const openStores = (): Readonly<Record<'sqlite' | 'postgres', () => Promise<string>>> => {
  const folder = folderForTests();
  let count = 0;
  return {
    sqlite: async () => {
      count += 1;
      return `sqlite:${join(folder, `issuers-${count}.db`)}`;
    },
    postgres: async () => {
      const { url, close } = await openTestPostgres();
      onTestFinished(close);
      return url;
    },
  };
};

export interface InstallationOptions extends CreateIssuersOptions {
  readonly config?: Partial<IssuersInput>;
  /** The issuers besides the first, of which the port of the listener is known now. */
  readonly issuersAt?: (port: number) => Readonly<Record<string, IssuerInput>>;
}

export const client = { id: 'app', secret: 'the secret of the app, long enough' } satisfies TestClient;

/** An installation on real sockets of 127.0.0.1, which ends with the test. */
export const openInstallation = async ({ config, issuersAt, ...options }: InstallationOptions = {}) => {
  const [publicServer, adminServer] = [createServer(), createServer()];
  const [publicly, admin] = [await listen(publicServer), await listen(adminServer)];
  const further = issuersAt?.(publicly.port) ?? {};
  const issuers = await createIssuers(
    { ...base, storage: { default: 'memory:' }, ...config, issuer: publicly.origin, issuers: further },
    { logger: quiet, ...options },
  );
  publicServer.on('request', issuers.standalone());
  adminServer.on('request', issuers.adminCallback());
  onTestFinished(async () => {
    await Promise.all([publicly.close(), admin.close()]);
    await issuers.close();
  });
  return {
    issuers,
    origin: publicly.origin,
    admin: admin.origin,
    /** Where an issuer is; undefined: the first. */
    at: (name?: string): Endpoints => ({
      issuer: name === undefined ? publicly.origin : (further[name]?.issuer ?? ''),
      admin: name === undefined ? admin.origin : `${admin.origin}/issuers/${name}`,
    }),
    /** Registers the same client at an issuer. */
    register: (name?: string): Promise<unknown> =>
      issuers.use(name, ({ clients }) =>
        clients.create({
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [redirectUri],
          post_logout_redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
          scope: 'openid offline_access profile email',
        }),
      ),
  };
};
