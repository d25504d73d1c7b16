import { createProvider } from '@carnet/provider';
import { type RedisServer, startProxy, startRedis } from '@carnet/test-servers';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateKeys } from '../../src/keys/sources/generate-keys.ts';
import { introspect, type Json } from '../login.ts';
import { redemption } from '../stores/token-requests.ts';
import { expectRecovery, expectStoreless, expectUnavailable, readiness, refreshClient } from './health.ts';
import { startLoad } from './load.ts';
import { prepareRedemptions } from './redemptions.ts';
import { allOf, keepReplaying, type Replay, replayAll, useUp } from './replays.ts';
import { askAll, clientCredentials, each } from './requests.ts';
import { openStage, rememberLogin, type Stage } from './stage.ts';

/** Redis alone, which has every write on disk before it answers. */
describe('on a single Redis', () => {
  let redis: RedisServer;
  let stage: Stage;
  let replays: readonly Replay[];

  beforeAll(async () => {
    redis = await startRedis();
    stage = await openStage({ default: `${redis.url}?timeout=1000` });
    replays = await useUp(stage);
  });
  afterAll(async () => {
    await stage?.stop();
    await redis?.close();
  });
  beforeEach(() => refreshClient(stage));

  test('a server that is killed is an outage; started again it has everything, and nothing can be used twice', async () => {
    const replaying = keepReplaying(stage.provider, replays);
    const redemptions = await prepareRedemptions(stage, 40);
    const load = startLoad(stage);
    const sent = redemptions.sendAll();
    await redis.kill();
    await sent;
    const code = await expectStoreless(stage);
    await expectUnavailable(stage);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('unavailable', replays));
    await redis.start();
    await expectRecovery(stage);
    expect((await load.stop()).filter((verdict) => verdict !== 'answered')).toEqual(['unavailable']);
    expect(await replaying.stop()).toEqual(['refused', 'unavailable']);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
    await redemptions.settle();
    await redemptions.expectUsed();
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('a paused server is an outage, and no request gets the answer to another one', async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const subject = `person-${index}`;
        return { subject, tokens: (await rememberLogin(stage, subject)).tokens };
      }),
    );
    const look = ({ tokens }: { tokens: Json }) => introspect(stage.provider, tokens.access_token);
    const redemptions = await prepareRedemptions(stage, 20);
    redis.pause();
    const [during] = await Promise.all([Promise.all(people.map(look)), redemptions.sendAll()]);
    expect([...new Set(during.map(({ error }) => error))]).toEqual(['temporarily_unavailable']);
    await expectUnavailable(stage);
    redis.resume();
    await expectRecovery(stage);
    const after = await Promise.all(people.map(look));
    expect(after.map(({ sub }) => sub)).toEqual(people.map(({ subject }) => subject));
    await redemptions.settle();
    await redemptions.expectUsed();
  });

  test('a server whose memory is full makes the process not ready, because commits fail; conflicts do not', async () => {
    for (let round = 0; round < 3; round++)
      expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
    expect(await readiness(stage)).toBe('ready');
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    for (let round = 0; round < 3; round++)
      expect(await askAll(stage, [clientCredentials])).toEqual(each('unavailable', [clientCredentials]));
    expect(await readiness(stage)).toMatch(/^503: The store answers, but refuses to write/);
    await expectStoreless(stage);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await expectRecovery(stage);
  });

  test('a server that is made a replica is an outage until it is a master again', async () => {
    const nobody = await startProxy({ port: redis.port });
    await nobody.close();
    await redis.command('REPLICAOF', '127.0.0.1', `${nobody.port}`);
    await expect.poll(() => readiness(stage)).toMatch(/^503: The Redis server is a replica/);
    await expectUnavailable(stage);
    await expectStoreless(stage);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('unavailable', replays));
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await expectRecovery(stage);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('refused', replays));
  });

  test('a server that may evict records is not used from the moment that is noticed', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await expect.poll(() => readiness(stage)).toMatch(/^503: .*Set maxmemory-policy to noeviction/);
    await expectUnavailable(stage);
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await expectRecovery(stage);
  });

  test('a server that comes back empty gives nothing, to this process and to every new one, until somebody acts', async () => {
    const replaying = keepReplaying(stage.provider, replays);
    await redis.kill();
    await redis.startEmpty();
    await expect.poll(() => readiness(stage)).toMatch(/^503: .*empty or was lost.*rotate secrets.system first/);
    await expectUnavailable(stage);
    await expectStoreless(stage);
    expect((await replaying.stop()).filter((outcome) => outcome !== 'refused')).toEqual(['unavailable']);
    await expect(startInProduction()).rejects.toThrow(/empty or was lost.*carnet migrate up/);
    await redis.command('SET', 'carnet:schema', '1:made-anew');
    await expect.poll(() => readiness(stage)).toMatch(/^503: .*not the one this process was started with/);
    expect(await replayAll(stage.provider, replays)).toEqual(allOf('unavailable', replays));
  });

  const startInProduction = () =>
    createProvider(
      {
        issuer: 'https://login.test',
        storage: { default: redis.url },
        secrets: { system: ['a system secret of a new process, long enough'] },
        keys: { jwks: generateKeys() as never, idTokenAlg: 'ES256' },
        urls: { login: 'https://login.test/login', consent: 'https://login.test/consent' },
      },
      { logger: pino({ level: 'silent' }) },
    );
});
