import { type OtherProcess, openInOtherProcess } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-mysql';
import { startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Conflict, RecordKey, StorageAdapter, Write } from '../../adapter-contract/src/port.ts';
import { claim, consume, createStore, freshId, freshRecord, loginWrites, put, revoke } from './store.ts';

/** `CONTEST_ROUNDS=300` runs as many. */
const rounds = Number(process.env.CONTEST_ROUNDS ?? 30);
/** Half of them in each process. */
const contenders = 20;

const server = beforeTests(() => startMariadb({ settings: { 'innodb-flush-method': 'nosync' } }));
let processes: readonly OtherProcess[] = [];
let store: StorageAdapter;

beforeAll(async () => {
  const url = await createStore(server);
  store = await openAdapter({ url });
  vi.stubEnv('NODE_OPTIONS', '--conditions=@carnet/source');
  const open = () => openInOtherProcess(new URL('../src/index.ts', import.meta.url), url);
  processes = await Promise.all([open(), open()]);
  for (const each of processes) await each.ping();
});
afterAll(async () => {
  for (const each of processes) await each.kill();
  await store?.close();
});

/** Sends half of the commits to each process at once. Returns the outcomes: `won`, the reason of the conflict, or the error. */
const contend = (commits: readonly (readonly Write[])[]): Promise<readonly string[]> =>
  Promise.all(
    commits.map(async (writes, index) => {
      try {
        const conflict = await processes[index < commits.length / 2 ? 0 : 1]?.commit(writes);
        return conflict?.reason ?? 'won';
      } catch (error) {
        return `${error}`;
      }
    }),
  );

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const idsOf = async (keys: readonly RecordKey[]) => (await store.read(keys)).flatMap((record) => record?.id ?? []);

/** New tokens of a grant, with the commit of a rotation that stores them. */
const rotationOf = (used: RecordKey, grantId: string) => {
  const tokens = [freshRecord({ kind: 'refresh_token', grantId }), freshRecord({ grantId })];
  return { tokens, writes: [consume(used), ...tokens.map(put)] };
};

/** The tokens of the only winner are stored, and those of no other contender. */
const expectOneWinner = async (
  attempts: readonly { readonly tokens: readonly RecordKey[]; readonly writes: readonly Write[] }[],
  refusal: Conflict['reason'],
) => {
  const outcomes = await contend(attempts.map(({ writes }) => writes));
  expect(outcomes.toSorted()).toEqual([...Array(contenders - 1).fill(refusal), 'won']);
  const winner = attempts[outcomes.indexOf('won')];
  expect(await idsOf(attempts.flatMap(({ tokens }) => tokens))).toEqual(winner?.tokens.map(({ id }) => id));
};

const login = async () => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

describe(`of ${contenders} commits at once from two processes, in ${rounds} rounds`, {
  timeout: 60_000 + rounds * 1_000,
}, () => {
  test('one claims a record', async () => {
    for (let round = 0; round < rounds; round++) {
      const code = freshRecord({ kind: 'authorization_code', grantId: freshId() });
      const { grantId = '' } = code;
      const attempts = times(contenders, () => {
        const tokens = [freshRecord({ kind: 'refresh_token', grantId }), freshRecord({ grantId })];
        return { tokens, writes: [claim(code), ...tokens.map(put)] };
      });
      await expectOneWinner(attempts, 'exists');
    }
  });

  test('one consumes a record', async () => {
    for (let round = 0; round < rounds; round++) {
      const { refresh, grantId } = await login();
      await expectOneWinner(
        times(contenders, () => rotationOf(refresh, grantId)),
        'consumed',
      );
    }
  });

  test('a revocation leaves no record of a grant, whatever a rotation stores', async () => {
    for (let round = 0; round < rounds; round++) {
      const { refresh, grantId, writes } = await login();
      const rotations = times(contenders / 2, () => rotationOf(refresh, grantId));
      // Each process gets both, by turns.
      const outcomes = await contend(rotations.flatMap((rotation) => [rotation.writes, [revoke(grantId)]]));
      expect(outcomes.filter((_, index) => index % 2)).toEqual(Array(contenders / 2).fill('won'));
      const stored = writes.flatMap((write) => ('record' in write ? write.record : []));
      expect(await idsOf([...stored, ...rotations.flatMap(({ tokens }) => tokens)])).toEqual([]);
    }
  });
});
