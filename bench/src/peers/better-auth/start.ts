import { randomBytes } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, installed, runProgram } from '@carnet/test-servers';
import { startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import { redirectUri } from '../../users/register-client.ts';
import type { PeerOptions } from '../peer.ts';
import { startPeerProcess } from '../peer-process.ts';
import { peerUsers } from '../users.ts';
import { cheapUsers } from './users.ts';

const version = '1.7.5';

/** The last version whose packages fit together: the OAuth provider requires exact versions of the others. */
const packages = {
  'better-auth': version,
  '@better-auth/core': version,
  '@better-auth/oauth-provider': version,
  '@better-auth/utils': '0.4.2',
  '@better-fetch/fetch': '1.3.2',
  'better-call': '1.4.0',
  pg: '8.23.1',
};

const install = (): Promise<string> =>
  installed(`better-auth-${version}`, async (cwd) => {
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    await runProgram('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd });
  });

/** Dynamic client registration (RFC 7591). */
const registerClient = async (publicUrl: string): Promise<string> => {
  const response = await fetch(`${publicUrl}/api/auth/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid offline_access',
    }),
  });
  const { client_id: id, ...rest } = (await response.json()) as { client_id?: string };
  if (id === undefined) throw new Error(`no client was registered: ${response.status} ${JSON.stringify(rest)}`);
  return id;
};

/** better-auth on Postgres, with two workers of `node:cluster`, without its limit of requests for each address. */
export const startBetterAuth = async ({ workers }: PeerOptions): Promise<RunningTarget> => {
  const folder = await install();
  // A module finds the packages of the folder in which it is.
  const program = join(folder, 'server.mjs');
  copyFileSync(fileURLToPath(new URL('server.mjs', import.meta.url)), program);
  const store = await startStore('postgres');
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const settings = {
    port,
    database: store.url,
    secret: randomBytes(32).toString('hex'),
    workers,
    users: [...peerUsers, ...cheapUsers],
  };
  const { processId, stop } = await startPeerProcess({
    name: 'better-auth',
    command: process.execPath,
    args: [program],
    env: { NODE_ENV: 'production', BETTER_AUTH_PEER: JSON.stringify(settings) },
    readyUrl: `${publicUrl}/api/auth/ok`,
  });
  return {
    name: 'better-auth',
    publicUrl,
    adminUrl: publicUrl,
    processIds: [processId],
    storeProcessIds: store.processIds,
    settings: {
      version,
      store: store.version,
      durability: store.durability,
      workers,
      client: await registerClient(publicUrl),
    },
    stop: async () => {
      await stop();
      await store.stop();
    },
  };
};
