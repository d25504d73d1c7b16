import { createPasswordHashing } from '@carnet/accounts/directory';
import { createUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { findFreePort } from '@carnet/test-servers';
import { startCarnetTarget } from '../../targets/carnet.ts';
import { startLoginApp } from '../../targets/login-app.ts';
import { startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import { logInWithPassword } from '../../users/password-logins.ts';
import { publicClient, registerClient } from '../../users/register-client.ts';
import { type Peer, type PeerOptions, passwordsAtOnce, peerLogin } from '../peer.ts';
import { peerUsers, takeTurns } from '../users.ts';

const addUsers = async (url: string): Promise<void> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  const hashing = createPasswordHashing();
  const users = createUsers({ database, hashing });
  for (const { name, password } of peerUsers) {
    await users.create({ username: name, passwordHash: await hashing.hash(password, '') });
  }
  await database.close();
};

/** Carnet with a directory of its own and the bundled pages. The CPU time of the server includes the pages. */
const start = async ({ workers }: PeerOptions): Promise<RunningTarget> => {
  const accounts = await startStore('postgres');
  await addUsers(accounts.url);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const target = await startCarnetTarget({
    store: 'postgres',
    workers,
    env: {
      URLS_LOGIN: `${url}/login`,
      URLS_CONSENT: `${url}/consent`,
      ACCOUNTS_DATABASE: accounts.url,
      ACCOUNTS_DIRECTORIES: JSON.stringify([{ name: 'bench', kind: 'sql' }]),
      ACCOUNTS_SECOND_FACTORS_POLICY: 'none',
    },
  });
  const app = await startLoginApp(port, target);
  const { store, durability, workers: processes } = target.settings;
  return {
    ...target,
    name: 'carnet with passwords',
    processIds: [...target.processIds, app.processId],
    storeProcessIds: [...target.storeProcessIds, ...accounts.processIds],
    settings: {
      store: store ?? '',
      durability: durability ?? '',
      workers: processes ?? '',
      pages: 'Next.js, one process',
    },
    stop: async () => {
      await app.stop();
      await target.stop();
      await accounts.stop();
    },
  };
};

export const carnetWithPasswords: Peer = {
  name: 'carnet-passwords',
  start,
  logins: [
    peerLogin({
      name: 'carnet-passwords',
      title: 'Carnet with its directory and the bundled pages',
      password: 'argon2id, m=19456,t=2,p=1',
      connections: passwordsAtOnce,
      async open(target) {
        const client = await registerClient(target, publicClient);
        const nextUser = takeTurns();
        return () => {
          const { name, password } = nextUser();
          return logInWithPassword(target, client, { login: name, password });
        };
      },
    }),
  ],
};
