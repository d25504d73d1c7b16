import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRecovery, expectStoreless, isAlive, readiness, refreshClient } from './health.ts';
import { prepareRedemptions } from './redemptions.ts';
import { allOf, type Replay, replayAll, useUp } from './replays.ts';
import {
  askAll,
  assertion,
  clientCredentials,
  each,
  introspection,
  listing,
  loggedIn,
  registration,
} from './requests.ts';
import { openStage, type Stage } from './stage.ts';

const writes = [clientCredentials, assertion, registration];
const reads = [introspection, listing, loggedIn];

describe('on SQLite', () => {
  let parent: string;
  let folder: string;
  let stage: Stage;
  let replays: readonly Replay[];

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'carnet-outages-'));
    folder = join(parent, 'data');
    mkdirSync(folder);
    stage = await openStage({ default: `sqlite:${join(folder, 'carnet.db')}?busyTimeoutMs=2000` });
    replays = await useUp(stage);
  });
  afterAll(async () => {
    await stage?.stop();
    if (parent !== undefined) rmSync(parent, { recursive: true });
  });
  beforeEach(() => refreshClient(stage));

  /** What another process does that writes for long: this one. */
  const lock = (): DatabaseSync => {
    const database = new DatabaseSync(join(folder, 'carnet.db'));
    database.exec('begin immediate');
    return database;
  };

  test('a file that another process has locked for a while is waited for, and nothing else waits', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    const database = lock();
    const written = Promise.all([askAll(stage, writes), redemptions.sendAll()]);
    // Were the waiting done in the way of other requests, the lock would never be given back in time.
    for (let round = 0; round < 10; round++) {
      expect(await isAlive(stage)).toBe(true);
      expect(await askAll(stage, reads)).toEqual(each('answered', reads));
    }
    database.close();
    expect(await written).toEqual([each('answered', writes), Array(5).fill(200)]);
    await redemptions.expectUsed();
  });

  test('a file that another process keeps locked is an outage of what has to be written', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    const database = lock();
    const [written, read] = await Promise.all([askAll(stage, writes), askAll(stage, reads), expectStoreless(stage)]);
    expect([written, read]).toEqual([each('unavailable', writes), each('answered', reads)]);
    expect(await redemptions.sendAll()).toEqual(Array(5).fill(503));
    expect(await isAlive(stage)).toBe(true);
    database.close();
    await expectRecovery(stage);
    await redemptions.settle();
    await redemptions.expectUsed();
  });

  test('a file that takes no more commits for a while makes the process not ready, until a commit succeeds', async () => {
    const database = lock();
    for (let round = 0; round < 3; round++)
      expect(await askAll(stage, [clientCredentials])).toEqual(each('unavailable', [clientCredentials]));
    expect(await readiness(stage)).toMatch(/^503: The store answers, but refuses to write/);
    expect(await askAll(stage, reads)).toEqual(each('answered', reads));
    database.close();
    await expectRecovery(stage);
  });

  test('a file whose folder is gone takes nothing, and is used again when it is back', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    renameSync(folder, `${folder}-elsewhere`);
    expect(await readiness(stage)).toMatch(/^503: .*was removed or replaced while in use/);
    expect(await askAll(stage, writes)).toEqual(each('unavailable', writes));
    expect(await redemptions.sendAll()).toEqual(Array(5).fill(503));
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('unavailable', replays));
    await expectStoreless(stage);
    renameSync(`${folder}-elsewhere`, folder);
    await expectRecovery(stage);
    await redemptions.settle();
    await redemptions.expectUsed();
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
  });

  test('a file whose log and shared memory are gone redeems no used code, and is used again when they are back', async () => {
    const paths = ['-wal', '-shm'].map((suffix) => join(folder, `carnet.db${suffix}`));
    for (const path of paths) renameSync(path, `${path}-elsewhere`);
    expect(await readiness(stage)).toMatch(/^503: .*-wal was removed or replaced while in use/);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('unavailable', replays));
    for (const path of paths) renameSync(`${path}-elsewhere`, path);
    await expectRecovery(stage);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
  });
});
