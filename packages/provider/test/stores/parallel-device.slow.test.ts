import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerClient, type TestClient } from '../clients.ts';
import { type DeviceCodes, deviceConfig, deviceMetadata, letIn, newCodes, poll, walkDevice } from '../device.ts';
import { introspect } from '../login.ts';
import type { ProviderProcess } from './provider-process.ts';
import { type Pair, startPair } from './serving.ts';
import { startServers, testStores } from './test-stores.ts';
import { countWorking, keysIn } from './token-life.ts';

const count = 100;

beforeAll(startServers);

describe.each(Object.entries(testStores))('of 100 parallel requests to two processes on %s', (_name, start) => {
  let pair: Pair;
  let first: ProviderProcess;
  let tv: TestClient;
  beforeAll(async () => {
    const config = { ...deviceConfig, features: { device: { userCodesPerMinute: 6_000 } } };
    pair = await startPair(async () => ({ ...(await start()), config }));
    [first] = pair.processes;
    const metadata = { ...deviceMetadata, token_endpoint_auth_method: 'none' };
    tv = await registerClient({ adapter: pair.adapter, issuer: first.issuer }, 'tv', metadata);
  });
  afterAll(() => pair?.stop());

  /** By turns to one and the other. */
  const spread = <T>(send: (at: ProviderProcess, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => send(pair.processes[index % 2] as ProviderProcess, index)));

  test('that answer one user code, each for somebody else, exactly one does: the device is theirs', async () => {
    const codes = await newCodes(first, tv);
    const walks = await spread(async (at, index) => ({
      at,
      subject: `person-${index}`,
      ...(await walkDevice(at, codes, { browser: at.browser(), subject: `person-${index}` })),
    }));
    const ends = await Promise.all(
      walks.map(async ({ browser, end, subject }) => ({ subject, status: (await browser.get(end)).status })),
    );
    const winners = ends.filter(({ status }) => status === 302);
    expect([winners.length, ends.filter(({ status }) => status === 400).length]).toEqual([1, count - 1]);
    const { body } = await poll(first, tv, codes.device_code);
    expect(await introspect(first, body.access_token)).toMatchObject({ active: true, sub: winners[0]?.subject });
  });

  test('that end one flow of a device exactly one does, and its tokens work', async () => {
    const codes = await newCodes(first, tv);
    const { browser, end } = await walkDevice(first, codes, { browser: first.browser(), login: { remember: true } });
    const cookies = new Map(browser.cookies);
    const answers = await spread(async (at) => (await at.browser(cookies).get(end)).status);
    expect(answers.toSorted()).toEqual([302, ...Array(count - 1).fill(400)]);
    expect((await poll(first, tv, codes.device_code)).status).toBe(200);
  });

  test('that ask with one device code exactly one gets tokens, and they are revoked', async () => {
    const codes: DeviceCodes = await newCodes(first, tv);
    await letIn(first, codes, { browser: first.browser() });
    const answers = await spread((at) => poll(at, tv, codes.device_code));
    const got = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]);
    expect([got.length, refused]).toEqual([1, Array(count - 1).fill([400, 'invalid_grant'])]);
    expect(await countWorking(pair.adapter, got.flatMap(keysIn))).toEqual({ access: 0, refresh: 0 });
  });
});
