import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigInput } from '@carnet/provider';
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { discovery, publishedKeys } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { credentialsFor, introspect, login } from '../login.ts';
import { issuer, type ProviderProcess, startProvider } from './provider-process.ts';
import { openTestStore, testStores } from './test-stores.ts';

const day = 86_400_000;

const processes: ProviderProcess[] = [];
afterAll(async () => void (await Promise.all(processes.map((each) => each.kill()))));

const jwksUrl = ({ issuer: at }: Pick<ProviderProcess, 'issuer'>) => `${at}/.well-known/jwks.json`;
const published = async (at: ProviderProcess): Promise<readonly string[]> =>
  (await publishedKeys(at)).keys.map(({ kid, alg }) => `${alg} ${kid}`).toSorted();

const tokenFrom = async (at: ProviderProcess, client: TestClient): Promise<string> =>
  String((await credentialsFor(at, client)).body.access_token);

const signerAt = async (at: ProviderProcess, client: TestClient): Promise<string> =>
  String(decodeProtectedHeader(await tokenFrom(at, client)).kid);

/** As a client does that has just come: with the keys that are published now. */
const verifiesAt = async (at: ProviderProcess, jwt: string): Promise<boolean> =>
  compactVerify(jwt, createRemoteJWKSet(new URL(jwksUrl(at)))).then(
    () => true,
    () => false,
  );

/** Tokens of each process, verified by the keys of each and introspected at each, for as long as it is not stopped. */
const keepVerifying = (all: readonly ProviderProcess[], client: TestClient, clock: () => number) => {
  let isStopped = false;
  let count = 0;
  const failures: string[] = [];
  const run = async (): Promise<void> => {
    while (!isStopped) {
      for (const from of all) {
        const issuedBy = clock();
        const jwt = await tokenFrom(from, client);
        for (const at of all) {
          count += 1;
          if (!(await verifiesAt(at, jwt))) failures.push(`${all.indexOf(from)} -> ${all.indexOf(at)}: not verified`);
          const { active } = await introspect(at, jwt);
          // Expired when days have passed meanwhile.
          if (active !== true && clock() === issuedBy)
            failures.push(`${all.indexOf(from)} -> ${all.indexOf(at)}: inactive`);
        }
      }
      await delay(20);
    }
  };
  const done = run();
  return {
    async stop() {
      isStopped = true;
      await done;
      return { count, failures };
    },
  };
};

describe('two processes with their signing keys in Postgres', () => {
  test('rotate them with no token refused', { timeout: 60_000 }, async () => {
    const testStore = await testStores.Postgres();
    const { storage } = testStore;
    const keys: ConfigInput['keys'] = {
      source: 'store',
      algorithms: ['ES256', 'EdDSA'],
      idTokenAlg: 'ES256',
      pollSeconds: 1,
    };
    const startOne = async (aheadMs = 0): Promise<ProviderProcess> => {
      const started = await startProvider({ storage: { ...storage, migrate: true }, config: { keys }, aheadMs });
      processes.push(started);
      return started;
    };
    const [a, b] = await Promise.all([startOne(), startOne()]);
    const both = [a, b];
    const settled = (check: () => Promise<unknown>) => expect.poll(check, { interval: 50 });
    let clock = 0;
    const setClocks = (ms: number, others = ms) => {
      clock += 1;
      a.setClock(ms);
      b.setClock(others);
    };

    const first = await published(a);
    expect(first.map((key) => key.split(' ')[0])).toEqual(['ES256', 'EdDSA']);
    expect(await published(b)).toEqual(first);
    const described = await discovery(a);
    const store = await openTestStore(testStore);
    const registrar = { issuer: a.issuer, adapter: store };
    const machine = { grant_types: ['client_credentials'], access_token_strategy: 'jwt' };
    const client = await registerClient(registrar, 'machine', machine);
    const web = await registerClient(registrar, 'web');
    const signer = await signerAt(a, client);
    const { id_token: idToken } = await login({ ...a }, web, { browser: a.browser() });
    const old = [await tokenFrom(a, client), String(idToken)];
    expect(decodeProtectedHeader(String(idToken)).kid).toBe(signer);

    const verifying = keepVerifying(both, client, () => clock);
    setClocks(77 * day);
    await settled(() => published(a)).toHaveLength(4);
    await settled(() => published(b)).toEqual(await published(a));
    expect([await signerAt(a, client), await signerAt(b, client)]).toEqual([signer, signer]);

    // Announced for 14 days from the moment in which it was made. The hour comes for one of them before it does for the other.
    setClocks(91 * day + 60_000, 91 * day - 60_000);
    await settled(() => signerAt(a, client)).not.toBe(signer);
    expect(await signerAt(b, client)).toBe(signer);
    setClocks(91 * day + 60_000);
    const next = await signerAt(a, client);
    await settled(() => signerAt(b, client)).toBe(next);
    for (const jwt of old) for (const at of both) expect(await verifiesAt(at, jwt)).toBe(true);
    expect(await discovery(b)).toEqual(described);

    const { count, failures } = await verifying.stop();
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(20);
    await store.close();

    await b.kill();
    const c = await startOne(91 * day + 60_000);
    expect(await published(c)).toEqual(await published(a));
    a.setClock(106 * day);
    c.setClock(106 * day);
    await settled(() => published(a)).toHaveLength(2);
    await settled(() => published(c)).toEqual(await published(a));
    for (const jwt of old) expect(await verifiesAt(a, jwt)).toBe(false);
    expect(await verifiesAt(c, await tokenFrom(a, client))).toBe(true);
    expect(await discovery(c)).toEqual(described);
    expect(described.issuer).toBe(issuer);
  });
});
