import { setTimeout as delay } from 'node:timers/promises';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { locationOf } from '../browser.ts';
import { type Answer, adminClients } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { loginPage } from '../harness.ts';
import { authorizationUrl, credentialsFor } from '../login.ts';
import type { ProviderProcess } from './provider-process.ts';
import { startPair } from './serving.ts';
import { testStores } from './test-stores.ts';

/** How long a client that was changed elsewhere may be served as it was. Milliseconds. */
const maxStaleMs = 5_000;

interface Change {
  readonly title: string;
  /** Made at one process. */
  readonly make: (at: ProviderProcess, client: TestClient) => Promise<Answer>;
  /** Whether another process shows it. */
  readonly isSeen: (at: ProviderProcess, client: TestClient) => Promise<boolean>;
}

const otherUri = 'https://elsewhere.test/callback';
const put = async (at: ProviderProcess, { id }: TestClient, change: object): Promise<Answer> =>
  adminClients(at, 'PUT', `/${id}`, { ...(await adminClients(at, 'GET', `/${id}`)).body, ...change });

const isRefused = async (at: ProviderProcess, client: TestClient): Promise<boolean> =>
  (await credentialsFor(at, client)).status === 401;

const changes: readonly Change[] = [
  {
    title: 'a redirect URI that was added',
    make: (at, client) => put(at, client, { redirect_uris: [otherUri] }),
    async isSeen(at, client) {
      const url = authorizationUrl(at, client, { redirect_uri: otherUri });
      return locationOf(await fetch(url, { redirect: 'manual' })).href.startsWith(loginPage);
    },
  },
  {
    title: 'a secret that is no longer good',
    make: (at, client) => put(at, client, { client_secret: 'another secret, long enough' }),
    isSeen: isRefused,
  },
  {
    title: 'a client that was deleted',
    make: (at, { id }) => adminClients(at, 'DELETE', `/${id}`),
    isSeen: isRefused,
  },
];

/** Asks until it is so; for the last time when so many milliseconds have passed. */
const isSoWithin = async (milliseconds: number, since: number, isSo: () => Promise<boolean>): Promise<boolean> => {
  for (;;) {
    const isLast = performance.now() - since >= milliseconds;
    if (await isSo()) return true;
    if (isLast) return false;
    await delay(50);
  }
};

describe('a client that is in use at one process, and changed at another', () => {
  const pair = beforeTests(() => startPair(testStores.Postgres));

  test.concurrent.each(changes)(
    'the other process serves the changed client after 5 seconds at the latest: $title',
    async ({ make, isSeen, title }) => {
      const { adapter, processes } = pair;
      const [here, elsewhere] = processes;
      const client = await registerClient({ adapter, issuer: here.issuer }, title.replaceAll(' ', '-'));
      expect(await isSeen(here, client)).toBe(false);
      expect((await make(elsewhere, client)).status).toBeLessThan(300);
      expect(await isSoWithin(maxStaleMs, performance.now(), () => isSeen(here, client))).toBe(true);
    },
  );
});
