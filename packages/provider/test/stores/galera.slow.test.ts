import { hasGalera, startGalera } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProviderProcess, startProvider } from './provider-process.ts';
import { openTestStore } from './test-stores.ts';
import { newCode, redemption, registerClients } from './token-requests.ts';

/** To search for rare races: `GALERA_ROUNDS=300 npm run test:slow -- packages/provider/test/stores/galera.slow.test.ts`. */
const rounds = Number(process.env.GALERA_ROUNDS ?? 10);
const atOnce = 20;

const reason = hasGalera() ? '' : ' (skipped: `galera-4` is not installed)';

describe.skipIf(reason !== '')(`two processes, each on a node of its own of a cluster with Galera${reason}`, () => {
  const cluster = beforeTests(startGalera);
  const processes: ProviderProcess[] = [];
  beforeAll(async () => {
    const [first, second] = cluster.nodes;
    const storage = { default: first.url, migrate: true };
    processes.push(await startProvider({ storage }), await startProvider({ storage: { default: second.url } }));
    const adapter = await openTestStore({ storage });
    for (const each of processes) await registerClients(adapter, each);
    await adapter.close();
  });
  afterAll(() => Promise.all(processes.map((each) => each.kill())));

  test(`redeem a code once, of ${atOnce} redemptions at once, in each of ${rounds} rounds`, {
    timeout: 10_000 + rounds * 2_000,
  }, async () => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const code = await newCode(processes[round % 2] as ProviderProcess, { remember: round % 4 < 2 });
      const redeem = redemption(code);
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => redeem(processes[index % 2] as ProviderProcess)),
      );
      const outcomes = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`);
      expect(outcomes.filter((outcome) => outcome === '200 ')).toHaveLength(1);
      for (const outcome of outcomes) seen.add(outcome);
    }
    // Commits on two nodes may collide until the limit of repetitions is reached: the client tries again.
    expect(['200 ', '400 invalid_grant', '503 temporarily_unavailable']).toEqual(expect.arrayContaining([...seen]));
  });
});
