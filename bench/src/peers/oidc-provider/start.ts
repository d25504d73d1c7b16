import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import pg from 'pg';
import { describeVersions } from '../../report/surroundings.ts';
import { type StoreName, startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import { openLogins } from '../../users/logins.ts';
import { loginsAtOnce, type Peer, type PeerOptions, peerLogin } from '../peer.ts';
import { startPeerProcess } from '../peer-process.ts';
import { schema } from './postgres-adapter.ts';
import type { ServerSettings } from './server.ts';

const clientId = 'bench';
const program = fileURLToPath(new URL('main.ts', import.meta.url));

const createSchema = async (url: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(schema);
  await client.end();
};

/** oidc-provider in the version that Carnet uses. Processes cannot share its in-memory adapter. */
const start = async (storeName: StoreName, { workers: wanted }: PeerOptions): Promise<RunningTarget> => {
  const isInMemory = storeName === 'memory';
  const workers = isInMemory ? 1 : wanted;
  const store = await startStore(storeName);
  if (!isInMemory) await createSchema(store.url);
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const settings: ServerSettings = {
    port,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'EC', alg: 'ES256', use: 'sig' }] },
    cookieKey: randomBytes(24).toString('hex'),
    clientId,
    ...(isInMemory ? {} : { database: store.url }),
  };
  const { processId, stop } = await startPeerProcess({
    name: 'oidc-provider',
    command: process.execPath,
    args: ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', program, String(workers)],
    env: { NODE_ENV: 'production', OIDC_PROVIDER: JSON.stringify(settings) },
    readyUrl: `${publicUrl}/.well-known/openid-configuration`,
  });
  return {
    name: `oidc-provider on ${storeName}`,
    publicUrl,
    adminUrl: publicUrl,
    processIds: [processId],
    storeProcessIds: store.processIds,
    settings: {
      version: describeVersions()['oidc-provider'] ?? '',
      store: store.version,
      durability: store.durability,
      workers,
    },
    stop: async () => {
      await stop();
      await store.stop();
    },
  };
};

/** The steps of a login with Carnet mounted in an app: each page is one request. */
const kind = { isMounted: true, parameters: { prompt: 'consent' } };

const peerOn = (store: StoreName): Peer => ({
  name: `oidc-provider-${store}`,
  start: (options) => start(store, options),
  logins: [
    peerLogin({
      name: `oidc-provider-${store}`,
      title: 'oidc-provider with two pages of its app',
      password: 'none',
      connections: loginsAtOnce,
      open: async (target) => {
        const client = { id: clientId, secret: undefined, authorization: undefined };
        return openLogins(target, client, loginsAtOnce, kind).run;
      },
    }),
  ],
});

export const oidcProviderPeers: readonly Peer[] = [peerOn('memory'), peerOn('postgres')];
