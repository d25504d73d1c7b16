import type { StorageAdapter } from '@carnet/adapter-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { introspect, type Json } from '../login.ts';
import type { Held } from './fault-points.ts';
import { addressee, type Case, killAmid, prepareCases, type Scenario, scenarios } from './killed-requests.ts';
import { type ProviderProcess, startProvider } from './provider-process.ts';
import { openTestStore, startServers, type TestStore, testStores } from './test-stores.ts';
import { countWorking, keysIn } from './token-life.ts';
import { newTokens, refreshing, registerClients } from './token-requests.ts';

interface Outcome {
  readonly step: string;
  readonly hasBegun: boolean;
  /** Whether tokens of the killed request were stored. */
  readonly isStored: boolean;
}

/** What a retry may be answered. */
const answersTo = ({ retries, isClaimedFirst = false }: Scenario, { step, hasBegun, isStored }: Outcome): number[] => {
  const { nothingStored, allStored } = retries;
  if (isStored || step === 'after headers') return [allStored];
  // What was under way may still arrive.
  const isOpen = step.startsWith('during') || (isClaimedFirst && hasBegun);
  return isOpen ? [nothingStored, allStored] : [nothingStored];
};

/** How many may work after the retry, by its status: with 401 it is the one that no client received. */
const mostAccessTokens: Readonly<Record<number, number>> = { 200: 1, 401: 1 };

const errors: Readonly<Record<number, string | undefined>> = { 400: 'invalid_grant', 401: 'invalid_client' };

/** The steps of every token request. */
const atLeast = ['before commit 1', 'during commit 1', 'after commit 1', 'after headers'];

beforeAll(startServers);

describe.each(Object.entries(testStores))('a provider killed amid token requests, on %s', (_name, start) => {
  let store: TestStore;
  let adapter: StorageAdapter;
  let survivor: ProviderProcess;
  let cases: readonly Case[];
  let held: ReadonlyMap<string, Held>;
  /** Of a login of the same person at the same client, before all others. */
  let older: Json;

  beforeAll(async () => {
    store = await start();
    const { storage } = store;
    survivor = await startProvider({ storage, hasFaultPoints: true });
    adapter = await openTestStore(store);
    await registerClients(adapter, survivor);
    older = await newTokens(survivor);
    const victim = startProvider({ storage, hasFaultPoints: true });
    cases = await prepareCases(survivor);
    held = new Map((await killAmid(await victim, cases)).map((each) => [each.id, each]));
  });
  afterAll(async () => {
    await survivor?.kill();
    await adapter?.close();
  });

  const expectSoundAfter = async ({ id, scenario, step, prepared }: Case, steps: readonly string[]): Promise<void> => {
    const lost = held.get(id)?.tokens ?? [];
    const isStored = (await countWorking(adapter, lost)).access > 0;
    const hasBegun = steps.indexOf(step) > steps.indexOf('before commit 1');
    const { status, body } = await prepared.request(addressee(survivor, scenario));
    expect(answersTo(scenario, { step, hasBegun, isStored }), id).toContain(status);
    expect(body.error, id).toBe(errors[status]);
    if (status === 200) expect(await introspect(survivor, body.access_token), id).toMatchObject({ active: true });
    const tokens = [...lost, ...keysIn(body), ...keysIn(prepared.earlier ?? {})];
    const { access, refresh } = await countWorking(adapter, tokens);
    expect(refresh, id).toBe(body.refresh_token === undefined ? 0 : 1);
    expect(access, id).toBeGreaterThanOrEqual(status === 200 ? 1 : 0);
    expect(access, id).toBeLessThanOrEqual(scenario.mostAccessTokens?.[status] ?? mostAccessTokens[status] ?? 0);
  };

  test.each(scenarios)('$title: a retry gets tokens or is refused, and never do two sets work', async (scenario) => {
    const ofScenario = cases.filter((each) => each.scenario === scenario);
    const steps = ofScenario.map(({ step }) => step);
    expect(steps).toEqual(expect.arrayContaining(atLeast));
    for (const each of ofScenario) await expectSoundAfter(each, steps);
  });

  test('an older grant of the same person to the same client is never taken back', async () => {
    expect(await introspect(survivor, older.access_token)).toMatchObject({ active: true });
    expect((await refreshing(older)(survivor)).status).toBe(200);
  });
});
