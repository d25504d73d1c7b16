import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdapter } from '@carnet/adapter-redis';
import { createProvider } from '@carnet/provider';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKeys } from '../../src/keys/sources/generate-keys.ts';
import { expectRecovery, readiness } from './health.ts';
import { startLoad } from './load.ts';
import { prepareRedemptions } from './redemptions.ts';
import { allOf, keepReplaying, replayAll, useUp } from './replays.ts';
import { type ReplicatedRedis, replicatedRedis } from './replicated-redis.ts';
import { ask, introspection, listing, loggedIn, registration } from './requests.ts';
import { openStage, type Stage } from './stage.ts';

/** What must never be lost is in a file; the rest on servers that replicate, which dev mode allows. */
describe.each(Object.entries(replicatedRedis))('on SQLite and %s', (_name, start) => {
  let folder: string;
  let redis: ReplicatedRedis;
  let storage: Readonly<Record<'default' | 'flows' | 'sessions' | 'consents' | 'clientCredentials', string>>;
  let stage: Stage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carnet-outages-'));
    redis = await start();
    const url = `${redis.url}?timeout=1000`;
    const others = { flows: url, sessions: url, consents: url, clientCredentials: url };
    storage = { default: `sqlite:${join(folder, 'carnet.db')}`, ...others };
    stage = await openStage(storage);
  });
  afterAll(async () => {
    await stage?.stop();
    await redis?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  /** What tells that alice is logged in. */
  const keyOfSession = async (): Promise<string> => {
    const store = await openAdapter({ url: redis.url });
    const { records } = await store.list({ kind: 'session', subject: 'alice', limit: 1 });
    await store.close();
    const id = records[0]?.id;
    return `carnet:{${id}}:session:${id}`;
  };

  test('a master that is lost is an outage of what it has until another takes its place, and nothing is used twice', async () => {
    const replays = await useUp(stage);
    const redemptions = await prepareRedemptions(stage, 20, true);
    const key = await keyOfSession();
    const master = await redis.masterOf(key);
    await redis.replicated();
    const replaying = keepReplaying(stage.provider, replays);
    const load = startLoad(stage);
    const durably = startLoad(stage, [introspection, listing, registration]);
    const sent = redemptions.sendAll();
    await master.kill();
    expect(await Promise.all([ask(loggedIn, stage), readiness(stage)])).toEqual([
      'unavailable',
      expect.stringMatching(/^503/),
    ]);
    await sent;
    // How long that takes is up to Redis: an election may fail, and be held again.
    await expect.poll(async () => (await redis.masterOf(key)).port).not.toBe(master.port);
    await expectRecovery(stage);
    expect((await load.stop()).filter((verdict) => verdict !== 'answered')).toEqual(['unavailable']);
    expect(await durably.stop()).toEqual(['answered']);
    expect((await replaying.stop()).filter((outcome) => outcome !== 'unavailable')).toEqual(['refused']);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
    await redemptions.settle();
    await redemptions.expectUsed();
  }, 60_000);

  test('outside dev mode they are refused if they do not wait for replicas: what a lost master had would come back', async () => {
    const sessions = `${storage.sessions}&replicas=0`;
    const provider = createProvider(
      {
        issuer: 'https://login.test',
        storage: { ...storage, sessions },
        secrets: { system: ['a system secret of a new process, long enough'] },
        keys: { jwks: generateKeys() as never, idTokenAlg: 'ES256' },
        urls: { login: 'https://login.test/login', consent: 'https://login.test/consent' },
      },
      { logger: pino({ level: 'silent' }) },
    );
    await expect(provider).rejects.toThrow(/a user who signed out could be signed in again/);
  });
});
