import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  type ForeignKey,
  isSignedByParty,
  readJws,
  type UnverifiedJws,
  verifyEmbedded,
  verifySignatureInThread,
} from '@carnet/signer-contract/jws';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const rsa: Pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pairs: Readonly<Record<string, Pair>> = {
  rsa,
  weak: generateKeyPairSync('rsa', { modulusLength: 1024 }),
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed: generateKeyPairSync('ed25519'),
};
const keyNames: Readonly<Record<string, string>> = {
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  ES256: 'p256',
  ES384: 'p384',
  ES512: 'p521',
  EdDSA: 'ed',
  Ed25519: 'ed',
};
const algorithms = Object.keys(keyNames);

const pairOf = (name = ''): Pair => pairs[name] ?? rsa;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signatureOf = (alg: string, key: KeyObject, data: string): string => {
  const digest = alg.startsWith('Ed') ? null : `sha${alg.slice(2)}`;
  const padding = alg.startsWith('PS') ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {};
  const saltLength = alg.startsWith('PS') ? { saltLength: Number(alg.slice(2)) / 8 } : {};
  const options = { key, dsaEncoding: 'ieee-p1363' as const, ...padding, ...saltLength };
  return sign(digest, Buffer.from(data), options).toString('base64url');
};

interface Made {
  readonly alg?: string;
  /** With which key it is signed. Default: that of the algorithm. */
  readonly key?: string;
  readonly header?: object;
  readonly jwk?: object;
  readonly claims?: unknown;
}

const make = ({ alg = 'ES256', key = keyNames[alg], header, jwk, claims = { jti: 'a' } }: Made): string => {
  const { publicKey, privateKey } = pairOf(key);
  const named = { alg, jwk: { ...publicKey.export({ format: 'jwk' }), ...jwk }, ...header };
  const input = `${encode(named)}.${encode(claims)}`;
  return `${input}.${signatureOf(alg, privateKey, input)}`;
};

const byJose = (text: string): Promise<boolean> =>
  jwtVerify(text, EmbeddedJWK, { algorithms }).then(
    () => true,
    () => false,
  );

const embedded = (text: string, imported = new Map<string, KeyObject>()) => {
  const jws = readJws(text);
  return jws && verifyEmbedded(jws, imported);
};

const byCarnet = async (text: string): Promise<boolean> => (await embedded(text)?.isSigned) ?? false;

const read = (text: string): UnverifiedJws => {
  const jws = readJws(text);
  if (jws === undefined) throw new Error('no JWS');
  return jws;
};

/** Whether one of some keys has signed it. `fetched`: the keys after they were fetched again. */
const byKeys = (text: string, keys: readonly ForeignKey[], fetched?: readonly ForeignKey[]): Promise<boolean> => {
  let known = keys;
  return isSignedByParty(read(text), {
    fresh: () => fetched === undefined,
    refresh: async () => {
      known = fetched ?? keys;
    },
    selectForVerify: () => known,
  });
};

const verdicts = async (text: string): Promise<readonly boolean[]> => [await byJose(text), await byCarnet(text)];
const both = (isAccepted: boolean) => [isAccepted, isAccepted];

describe('a JWS by a key in its header', () => {
  it.each(algorithms)('%s verifies, and with another signature it does not', async (alg) => {
    const text = make({ alg });
    expect(await verdicts(text)).toEqual(both(true));
    const [head, , signature] = text.split('.');
    expect(await verdicts(`${head}.${encode({ jti: 'b' })}.${signature}`)).toEqual(both(false));
    expect(await verdicts(`${head}.${encode({ jti: 'a' })}.${signature?.slice(4)}`)).toEqual(both(false));
  });

  it('the thumbprint is that of RFC 7638', async () => {
    for (const { publicKey } of Object.values(pairs)) {
      const jwk = publicKey.export({ format: 'jwk' });
      const jws = { header: { alg: 'ES256', jwk }, claims: {}, signed: Buffer.of(), signature: Buffer.of() };
      expect(verifyEmbedded(jws, new Map())?.jkt).toBe(await calculateJwkThumbprint(jwk));
    }
  });

  it('an algorithm that is not that of the key does not verify', async () => {
    for (const alg of algorithms) {
      for (const named of [...algorithms, 'none', 'HS256', '']) {
        const isSame = named === alg || (named.startsWith('Ed') && alg.startsWith('Ed'));
        if (!isSame)
          expect([alg, named, await verdicts(make({ alg, header: { alg: named } }))]).toEqual([
            alg,
            named,
            both(false),
          ]);
      }
    }
  });

  it.each<[string, Made]>([
    ['an RSA key of 1024 bits', { alg: 'RS256', key: 'weak' }],
    ['a private key', { jwk: pairOf('p256').privateKey.export({ format: 'jwk' }) }],
    ['a key for encryption', { jwk: { use: 'enc' } }],
    ['a key for another algorithm', { jwk: { alg: 'ES384' } }],
    ['a key that may only sign', { jwk: { key_ops: ['sign'] } }],
    ['a key that may also sign', { jwk: { key_ops: ['verify', 'sign'] } }],
    ['a key that may do nothing', { jwk: { key_ops: [] } }],
    ['a list in key_ops', { jwk: { key_ops: [['verify']] } }],
    ['an object in key_ops', { jwk: { key_ops: [{ toString: 1 }] } }],
    ['a curve with a NUL', { jwk: { crv: 'P-256\0' } }],
    ['a text as key_ops', { jwk: { key_ops: 'verify' } }],
    ['a point that is not on the curve', { jwk: { x: Buffer.alloc(32, 1).toString('base64url') } }],
    ['the name of another curve', { jwk: { crv: 'P-384' } }],
    ['a key without y', { jwk: { y: undefined } }],
    ['a number as x', { jwk: { x: 1 } }],
    ['another type of key', { jwk: { kty: 'RSA' } }],
    ['a symmetric key', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }],
    ['a type of key that is a member of objects', { jwk: { kty: 'constructor' } }],
    ['no key', { header: { jwk: undefined } }],
    ['null as the key', { header: { jwk: null } }],
    ['a list of keys', { header: { jwk: [] } }],
    ['an extension', { header: { crit: ['exp'], exp: 1 } }],
    ['an empty list of extensions', { header: { crit: [] } }],
    ['an unencoded payload', { header: { crit: ['b64'], b64: false } }],
    ['claims that are a list', { claims: [] }],
    ['claims that are null', { claims: null }],
  ])('%s does not verify', async (_, made) => {
    expect(await verdicts(make(made))).toEqual(both(false));
  });

  it.each<[string, Made]>([
    ['a key for signatures', { jwk: { use: 'sig', alg: 'ES256', key_ops: ['verify'], kid: 'any' } }],
    ['unknown members', { header: { unknown: true }, jwk: { unknown: true } }],
  ])('%s verifies', async (_, made) => {
    expect(await verdicts(make(made))).toEqual(both(true));
  });

  it.each([
    ['two parts', (text: string) => text.slice(0, text.lastIndexOf('.'))],
    ['four parts', (text: string) => `${text}.`],
    ['no signature', (text: string) => text.slice(0, text.lastIndexOf('.') + 1)],
    ['a header that is no JSON', (text: string) => `e30x${text.slice(text.indexOf('.'))}`],
    ['a header that is no UTF-8', (text: string) => `_w${text.slice(text.indexOf('.'))}`],
    ['characters of base64 in the signature', (text: string) => `${text}+/`],
  ])('a text with %s does not verify', async (_, change) => {
    expect(await verdicts(change(make({})))).toEqual(both(false));
  });

  it('padding and white space in base64url do not verify, which jose accepts', async () => {
    const text = make({});
    expect(await verdicts(`${text}==`)).toEqual([true, false]);
    expect(await verdicts(`${text} `)).toEqual([true, false]);
  });

  it('a key with large numbers is verified in a thread', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicExponent: 65_539,
    });
    const jwk = publicKey.export({ format: 'jwk' });
    const input = `${encode({ alg: 'RS256', jwk })}.${encode({})}`;
    const text = `${input}.${signatureOf('RS256', privateKey, input)}`;
    expect(embedded(text)?.isSigned).toBeInstanceOf(Promise);
    expect(await verdicts(text)).toEqual(both(true));
  });

  it('a key with absurd numbers does not verify', async () => {
    const numbers: readonly [string, string][] = [
      ['AQ', 'AQ'],
      ['AA', 'AQAB'],
      [String(rsa.publicKey.export({ format: 'jwk' }).n), 'AQ'],
      [String(rsa.publicKey.export({ format: 'jwk' }).n), 'AA'],
      [Buffer.alloc(256, 0xfe).toString('base64url'), 'AQAB'],
      [Buffer.alloc(4_096, 0xff).toString('base64url'), 'AQAB'],
    ];
    for (const [n, e] of numbers) {
      const text = make({ alg: 'RS256', jwk: { n, e } });
      expect([e, await byCarnet(text)]).toEqual([e, false]);
      expect(await byKeys(text, [{ kty: 'RSA', n, e }])).toBe(false);
    }
  });

  it('a key with longer numbers than any is not imported', () => {
    const imported = new Map<string, KeyObject>();
    const { n } = rsa.publicKey.export({ format: 'jwk' });
    expect(
      embedded(make({ alg: 'RS256', jwk: { n, e: Buffer.alloc(33, 0x7f).toString('base64url') } }), imported),
    ).toBe(undefined);
    expect(embedded(make({ alg: 'RS256', jwk: { n: 'x'.repeat(2_732), e: 'AQAB' } }), imported)).toBe(undefined);
    expect(imported.size).toBe(0);
    const largest = {
      n: Buffer.alloc(2_048, 0xff).toString('base64url'),
      e: Buffer.alloc(32, 0x7f).toString('base64url'),
    };
    expect(embedded(make({ alg: 'RS256', jwk: largest }), imported)?.isSigned).toBeInstanceOf(Promise);
  });

  it('the same key is imported once', () => {
    const imported = new Map<string, KeyObject>();
    expect(embedded(make({}), imported)?.isSigned).toBe(true);
    const [key] = imported.values();
    expect(embedded(make({ claims: { jti: 'b' } }), imported)?.isSigned).toBe(true);
    expect([...imported.values()]).toEqual([key]);
    // Its signature is verified each time.
    const [head, body] = make({}).split('.');
    expect(embedded(`${head}.${body}.${'A'.repeat(86)}`, imported)?.isSigned).toBe(false);
  });
});

describe('a JWS by one of the keys of a client', () => {
  const jwk = pairOf('p256').publicKey.export({ format: 'jwk' });

  it('keys that do not fit are left out', async () => {
    expect(await byKeys(make({}), [{ kty: 'EC' }, rsa.publicKey.export({ format: 'jwk' }), jwk])).toBe(true);
    const others = [
      { ...jwk, use: 'enc' },
      { ...jwk, alg: 'ES384' },
      { ...jwk, key_ops: ['sign'] },
    ];
    expect(await byKeys(make({}), others)).toBe(false);
    expect(await byKeys(make({}), [])).toBe(false);
  });

  it('expired keys are fetched again if none of them has signed it', async () => {
    expect(await byKeys(make({}), [], [jwk])).toBe(true);
    expect(await byKeys(make({}), [jwk], [])).toBe(true);
    expect(await byKeys(make({}), [], [])).toBe(false);
  });

  it('a party with many keys leaves other requests their turns', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const many = Array.from({ length: 400 }, () => pairOf('p256').publicKey.export({ format: 'jwk' }));
    expect(await byKeys(make({ key: 'p384' }), many)).toBe(false);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('a text of two parts is no JWS', () => {
    expect(readJws(make({}).replace(/\.[^.]*$/, ''))).toBeUndefined();
  });

  it('the thread pool verifies the same signatures', async () => {
    const { header, signed, signature } = read(make({}));
    const alg = String(header.alg);
    expect(await verifySignatureInThread(alg, pairOf('p256').publicKey, signed, signature)).toBe(true);
    expect(await verifySignatureInThread(alg, rsa.publicKey, signed, signature)).toBe(false);
  });
});
