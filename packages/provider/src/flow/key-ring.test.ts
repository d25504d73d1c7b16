import { describe, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { macPurposes, purposes } from './purposes.ts';

const issuer = 'https://id.test';
const day = 86_400_000;
const noon = Date.UTC(2026, 6, 1, 12);
const at = (now: number, secrets = ['an old secret of the tests']): KeyRing =>
  createKeyRing({ issuer, secrets, now: () => now });
const exported = ({ key }: ReturnType<KeyRing['sealing']>): string => key.export().toString('base64url');

describe('sealing keys', () => {
  test('differ by purpose, issuer, secret and day', () => {
    const rings = [
      at(noon),
      at(noon + day),
      at(noon, ['another secret of the tests']),
      createKeyRing({ issuer: `${issuer}/tenant`, secrets: ['an old secret of the tests'], now: () => noon }),
    ];
    const all = rings.flatMap((ring) => purposes.map((purpose) => exported(ring.sealing(purpose))));
    expect(new Set(all).size).toBe(rings.length * purposes.length);
  });

  test('stay the same for a day, and are found again by their name', () => {
    const ring = at(noon);
    const sealed = ring.sealing('login_challenge');
    expect(exported(at(noon + day / 2 - 1).sealing('login_challenge'))).toBe(exported(sealed));
    expect(ring.opening('login_challenge', sealed.kid)?.equals(sealed.key)).toBe(true);
    expect(ring.opening('login_verifier', sealed.kid)?.equals(sealed.key)).toBe(false);
  });

  test('open for 31 days, and a day ahead of a clock that is slow', () => {
    const { kid } = at(noon).sealing('login_challenge');
    const opens = (days: number) => at(noon + days * day).opening('login_challenge', kid) !== undefined;
    expect([-2, -1, 0, 1, 31, 32].map(opens)).toEqual([false, true, true, true, true, false]);
  });

  test('have one name a day', () => {
    const ring = at(noon);
    const { kid } = ring.sealing('login_challenge');
    const [epoch = '', print = ''] = kid.split('.');
    const spellings = [
      `0${epoch}.${print}`,
      `+${epoch}.${print}`,
      ` ${epoch}.${print}`,
      `${epoch.toUpperCase()}.${print}`,
      `${epoch}-.${print}`,
      `${epoch}.${print}.`,
      `${epoch}.${print}x`,
      `.${print}`,
      `${epoch}.`,
      epoch,
      '',
      `-1.${print}`,
      `NaN.${print}`,
      `Infinity.${print}`,
    ].filter((spelling) => spelling !== kid);
    for (const spelling of spellings) expect(ring.opening('login_challenge', spelling), spelling).toBeUndefined();
  });

  test('of an old secret open for as long as it is listed, and seal no more', () => {
    const old = at(noon).sealing('login_challenge');
    const rotated = at(noon, ['a new secret of the tests', 'an old secret of the tests']);
    expect(rotated.opening('login_challenge', old.kid)?.equals(old.key)).toBe(true);
    expect(rotated.sealing('login_challenge').kid).not.toBe(old.kid);
    expect(at(noon, ['a new secret of the tests']).opening('login_challenge', old.kid)).toBeUndefined();
  });
});

describe('keyed hashes', () => {
  test('are made with the first secret and known by all', () => {
    const old = at(noon);
    const rotated = at(noon, ['a new secret of the tests', 'an old secret of the tests']);
    const mac = old.mac('flow_cookie', 'data');
    expect(mac).toMatch(/^[\w-]{43}$/);
    expect(rotated.mac('flow_cookie', 'data')).not.toBe(mac);
    expect(rotated.verifyMac('flow_cookie', 'data', mac)).toBe(true);
    expect(old.verifyMac('flow_cookie', 'data', rotated.mac('flow_cookie', 'data'))).toBe(false);
  });

  test('hold for their purpose, data and issuer alone', () => {
    const ring = at(noon);
    for (const made of macPurposes) {
      const mac = ring.mac(made, 'data');
      expect(macPurposes.filter((purpose) => ring.verifyMac(purpose, 'data', mac))).toEqual([made]);
      expect(ring.verifyMac(made, 'Data', mac)).toBe(false);
      expect(
        createKeyRing({ issuer: `${issuer}/`, secrets: ['an old secret of the tests'] }).mac(made, 'data'),
      ).not.toBe(mac);
    }
  });

  test('are refused cut off, lengthened, or in another spelling', () => {
    const ring = at(noon);
    const mac = ring.mac('flow_cookie', 'data');
    const bytes = Buffer.from(mac, 'base64url');
    const spellings = ['', mac.slice(0, 42), `${mac}A`, `${mac}=`, ` ${mac}`, bytes.toString('hex')];
    const sameBytes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => mac.slice(0, -1) + last)
      .filter((spelling) => spelling !== mac && Buffer.from(spelling, 'base64url').equals(bytes));
    expect(sameBytes).toHaveLength(3);
    for (const spelling of [...spellings, ...sameBytes]) {
      expect(ring.verifyMac('flow_cookie', 'data', spelling), spelling).toBe(false);
    }
  });
});

test('a ring without a secret, or with one twice, says so', () => {
  expect(() => at(noon, [])).toThrow(ConfigError);
  expect(() => at(noon, ['the same secret', 'the same secret'])).toThrow(/Remove the repeated one/);
});

test('a keyed hash made with a named secret stays what it was when secrets change places', () => {
  const [old, fresh] = ['an old secret of the tests', 'a new secret of the tests'];
  const { secretName } = at(noon, [old]);
  const mac = at(noon, [old]).mac('refresh_successor', 'data');
  for (const secrets of [
    [old, fresh],
    [fresh, old],
  ]) {
    expect(at(noon, secrets).mac('refresh_successor', 'data', secretName)).toBe(mac);
  }
  const withoutOld = at(noon, [fresh]);
  expect(withoutOld.mac('refresh_successor', 'data', secretName)).toBe(withoutOld.mac('refresh_successor', 'data'));
});
