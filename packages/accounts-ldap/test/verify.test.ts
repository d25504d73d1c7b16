import { setTimeout as pause } from 'node:timers/promises';
import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { open } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 8 }));

const verify = async (uid: string, password: string) => {
  const directory = await open(slapd);
  const user = await directory.find(uid);
  if (user === undefined) throw new Error(`no ${uid}`);
  return directory.verify(user, password);
};
const refused = (reason: string) => ({ accepted: false, reason });

test.each(['ada', 'ben', 'cleo', 'dora', 'user0001', 'user0004'])('the password of %s is checked', async (uid) => {
  expect(await verify(uid, `password-${uid}`)).toEqual({ accepted: true });
  expect(await verify(uid, 'wrong')).toEqual(refused('wrong_password'));
});

test.each([
  ['empty', ''],
  ['NUL', '\0'],
  ['the right one and NUL', 'password-ada\0'],
])('a password that binds as anonymous on some servers is refused: %s', async (_, password) => {
  expect(await verify('ada', password)).toEqual(refused('wrong_password'));
});

test.each([
  ['locked', 'locked'],
  ['expired', 'expired'],
  ['must-change', 'password_change_required'],
  ['ad-suspended', 'disabled'],
  ['ad-left', 'expired'],
  ['ad-wrong', 'wrong_password'],
  ['ad-disabled', 'disabled'],
  ['ad-expired', 'expired'],
  ['ad-old-password', 'expired'],
  ['ad-must-change', 'password_change_required'],
  ['ad-locked', 'locked'],
  ['vanished', 'unknown_user'],
])('the refusal of %s has the reason %s', async (uid, reason) => {
  expect(await verify(uid, `password-${uid}`)).toEqual(refused(reason));
});

test('an account is locked after three wrong passwords', async () => {
  for (let count = 0; count < 3; count += 1) expect(await verify('strict', 'wrong')).toEqual(refused('wrong_password'));
  expect(await verify('strict', 'password-strict')).toEqual(refused('locked'));
});

test.each(['busy', 'unavailable', 'other'])(
  'an answer that says nothing about the password is an outage: %s',
  async (uid) => {
    await expect(verify(uid, `password-${uid}`)).rejects.toMatchObject({ name: 'DirectoryError', code: 'unavailable' });
  },
);

describe('a user that was found earlier', () => {
  /** Longer than a user counts as found just now. */
  const later = () => pause(1_100);

  const entry = (dn: string, password: string) =>
    `dn: ${dn}\nchangetype: add\nobjectClass: inetOrgPerson\nuid: eve\ncn: Eve\nsn: Eve\nuserPassword: ${password}`;

  test('a user that was found earlier and is deleted is unknown', async () => {
    const directory = await open(slapd);
    const user = await directory.find('user0007');
    await slapd.modify(`dn: ${slapd.user('user0007').dn}\nchangetype: delete`);
    await later();
    expect(user && (await directory.verify(user, 'password-user0007'))).toEqual(refused('unknown_user'));
  });

  test('does not become the user who has the DN now', async () => {
    const dn = `uid=eve,${slapd.peopleDn}`;
    await slapd.modify(entry(dn, 'the first password'));
    const directory = await open(slapd);
    const first = await directory.find('eve');
    await slapd.modify(`dn: ${dn}\nchangetype: delete\n\n${entry(dn, 'the second password')}`);
    await later();
    expect(first && (await directory.verify(first, 'the second password'))).toEqual(refused('unknown_user'));
    const second = await directory.find('eve');
    expect(second && (await directory.verify(second, 'the second password'))).toEqual({ accepted: true });
    expect(second?.id).not.toBe(first?.id);
  });
});

test('an unknown user costs the same operations as a wrong password', async () => {
  const directory = await open(slapd);
  await directory.find('ada');
  await directory.verifyUnknown('wrong', 'eve');
  const count = async (run: () => Promise<unknown>) => {
    const before = await slapd.statistics();
    await run();
    const after = await slapd.statistics();
    return { binds: after.binds - before.binds, searches: after.searches - before.searches };
  };
  const unknown = await count(() => directory.verifyUnknown('wrong', 'eve'));
  const empty = await count(() => directory.verifyUnknown('', 'eve'));
  const wrong = await count(async () => {
    const ada = await directory.find('ada');
    return ada && directory.verify(ada, 'wrong');
  });
  // The search is that of `find`.
  expect(unknown).toEqual({ ...wrong, searches: wrong.searches - 1 });
  expect(empty).toEqual(unknown);
});

describe('where the server hashes slowly', () => {
  const durationOf = async (run: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };

  /** The shortest of several durations: a busy machine makes them longer, and never shorter. */
  const shortest = async (run: () => Promise<unknown>, times = 5): Promise<number> => {
    const durations: number[] = [];
    for (let count = 0; count < times; count += 1) durations.push(await durationOf(run));
    return Math.min(...durations);
  };

  test('every refusal takes as long as a wrong password with a slow hash, and a right password does not', async () => {
    const directory = await open(slapd);
    const verifying = async (uid: string, password: string) => {
      const user = await directory.find(uid);
      return () => user && directory.verify(user, password);
    };
    // bcrypt with a cost of 10.
    const slow = await shortest((await verifying('dora', 'wrong')) as () => Promise<unknown>, 2);
    const unknown = await shortest(() => directory.verifyUnknown('wrong', 'eve'));
    const quickHash = await shortest((await verifying('ada', 'wrong')) as () => Promise<unknown>);
    const empty = await shortest((await verifying('ada', '')) as () => Promise<unknown>);
    const locked = await shortest((await verifying('locked', 'wrong')) as () => Promise<unknown>);
    for (const refusal of [unknown, quickHash, empty, locked]) expect(refusal).toBeGreaterThan(slow * 0.7);
    const right = await shortest((await verifying('ada', 'password-ada')) as () => Promise<unknown>);
    expect(right).toBeLessThan(slow * 0.5);
  });

  test('several guesses at once take as long for an unknown user as for a known one', async () => {
    const directory = await open(slapd);
    const dora = await directory.find('dora');
    const atOnce = (guess: () => Promise<unknown> | undefined) => () => Promise.all(Array.from({ length: 6 }, guess));
    const guessKnown = atOnce(() => dora && directory.verify(dora, 'wrong'));
    const guessUnknown = atOnce(() => directory.verifyUnknown('wrong', 'eve'));
    let [wrong, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // By turns: a busy machine spoils single measurements, and the shortest of both are comparable after some.
    for (let round = 0; round < 10 && !(round > 1 && unknown > wrong * 0.6); round += 1) {
      wrong = Math.min(wrong, await shortest(guessKnown, 1));
      unknown = Math.min(unknown, await shortest(guessUnknown, 1));
    }
    expect(unknown).toBeGreaterThan(wrong * 0.6);
  });
});

test('the service account is never bound as a user', async () => {
  const directory = await open(slapd, { poolSize: 1 });
  const ada = await directory.find('ada');
  for (let count = 0; count < 3; count += 1) {
    expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
    // Users may not read each other: a search on the user's connection would find no user.
    expect(await directory.find('ben')).toBeDefined();
  }
});
