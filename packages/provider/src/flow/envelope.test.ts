import { createCipheriv, type KeyObject } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createEnvelope } from './envelope.ts';
import { createKeyRing } from './key-ring.ts';
import { purposes } from './purposes.ts';

const keys = createKeyRing({ issuer: 'https://id.test', secrets: ['a secret of the envelope tests'] });
const envelope = createEnvelope(keys);
const plaintext = Buffer.from('what is sealed');
const purpose = 'login_challenge';
const { kid, key } = keys.sealing(purpose);
const properHeader = `{"alg":"dir","enc":"A256GCM","kid":"${kid}"}`;

const open = (token: string) => envelope.open(purpose, token);
const partsOf = (token: string) => token.split('.') as [string, string, string, string, string];
const padded = Buffer.concat([plaintext, Buffer.from([0x80]), Buffer.alloc(64 - plaintext.length - 1)]);

interface Forged {
  readonly header?: string;
  readonly ivBytes?: number;
  readonly tagBytes?: number;
  readonly bytes?: Buffer;
}

/** Sealed by somebody who has the very key: authentic in all but what the test is about. */
const forge = ({ header = properHeader, ivBytes = 12, tagBytes = 16, bytes = padded }: Forged): string => {
  const encoded = Buffer.from(header).toString('base64url');
  const iv = Buffer.alloc(ivBytes, 7);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(encoded));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const segments = [iv, ciphertext, cipher.getAuthTag()].map((segment) => segment.toString('base64url'));
  return [encoded, '', ...segments].join('.');
};

describe('what is sealed', () => {
  test('opens for its purpose, whatever its length', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Buffer.alloc(length, length % 2 === 0 ? 0x80 : 0);
      expect(open(envelope.seal(purpose, bytes))).toEqual(bytes);
    }
  });

  test('opens in no slot but its own: of all purposes, only the diagonal', () => {
    for (const sealedFor of purposes) {
      const token = envelope.seal(sealedFor, plaintext);
      const openIn = purposes.filter((slot) => envelope.open(slot, token) !== undefined);
      expect(openIn).toEqual([sealedFor]);
    }
  });

  test('jose opens a sealed value, a JWE, with the derived key, for every purpose', async () => {
    for (const sealedFor of purposes) {
      const token = envelope.seal(sealedFor, plaintext);
      const { kid: name } = JSON.parse(Buffer.from(partsOf(token)[0], 'base64url').toString()) as { kid: string };
      const opened = await compactDecrypt(token, keys.opening(sealedFor, name) as KeyObject, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      expect(Buffer.from(opened.plaintext)).toEqual(padded);
    }
  });

  test('may as well have been sealed by jose', async () => {
    const token = await new CompactEncrypt(padded).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid }).encrypt(key);
    expect(open(token)).toEqual(plaintext);
  });

  test('grows in steps of 64 bytes, so that its length tells little', () => {
    const lengthOf = (bytes: number) => envelope.seal(purpose, Buffer.alloc(bytes, 1)).length;
    const lengths = Array.from({ length: 256 }, (_, bytes) => lengthOf(bytes));
    expect(new Set(lengths).size).toBe(4);
    expect(new Set(lengths.slice(0, 64)).size).toBe(1);
  });

  test('never uses a nonce twice', () => {
    const nonces = new Set(Array.from({ length: 5_000 }, () => partsOf(envelope.seal(purpose, plaintext))[2]));
    expect(nonces.size).toBe(5_000);
  });
});

describe('what does not open', () => {
  const token = envelope.seal(purpose, plaintext);

  test('a token with any one character changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';
    for (let at = 0; at < token.length; at++) {
      for (const character of alphabet) {
        if (character === token[at]) continue;
        expect(open(token.slice(0, at) + character + token.slice(at + 1)), `${character} at ${at}`).toBeUndefined();
      }
    }
  });

  test('a token with any one bit of its ciphertext, nonce or tag changed', () => {
    for (const segment of [2, 3, 4] as const) {
      const bytes = Buffer.from(partsOf(token)[segment], 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const parts = partsOf(token).with(segment, changed.toString('base64url'));
        expect(open(parts.join('.'))).toBeUndefined();
      }
    }
  });

  test('segments in another order, or of another token', () => {
    const other = partsOf(envelope.seal(purpose, plaintext));
    const parts = partsOf(token);
    for (let i = 0; i < 5; i++) {
      for (let j = i + 1; j < 5; j++) {
        const swapped = parts.with(i, parts[j] ?? '').with(j, parts[i] ?? '');
        expect(open(swapped.join('.')), `${i} and ${j}`).toBeUndefined();
      }
      const mixed = parts.with(i, other[i] ?? '').join('.');
      if (mixed !== token) expect(open(mixed), `${i} of another`).toBeUndefined();
    }
  });

  test('a token cut off anywhere, or with something added', () => {
    for (let length = 0; length < token.length; length++) {
      expect(open(token.slice(0, length))).toBeUndefined();
      expect(open(token.slice(token.length - length))).toBeUndefined();
    }
    for (const more of ['.', '.A', 'A', '=', '==', ' ', '\n', '\u0000', 'é']) {
      expect(open(token + more), JSON.stringify(more)).toBeUndefined();
      expect(open(more + token), JSON.stringify(more)).toBeUndefined();
    }
  });

  test('base64url that is not the one text of its bytes', () => {
    const parts = partsOf(token);
    for (const segment of [0, 2, 3, 4] as const) {
      const text = parts[segment];
      const bytes = Buffer.from(text, 'base64url');
      const lenient = [
        `${text}=`,
        `${text}==`,
        `${text.slice(0, 4)} ${text.slice(4)}`,
        `${text.slice(0, 4)}\n${text.slice(4)}`,
        bytes.toString('base64'),
        ...['B', 'C', 'D', 'R', 'h', 'x', 'Z', '9'].map((last) => text.slice(0, -1) + last),
      ].filter((spelling) => spelling !== text && Buffer.from(spelling, 'base64url').equals(bytes));
      if (segment === 4) expect(lenient.length).toBeGreaterThan(3);
      for (const spelling of lenient) expect(open(parts.with(segment, spelling).join('.')), spelling).toBeUndefined();
    }
  });

  test('a token of another issuer with the same secret, or of another secret', () => {
    const others = [
      { issuer: 'https://other.test', secrets: ['a secret of the envelope tests'] },
      { issuer: 'https://id.test/', secrets: ['a secret of the envelope tests'] },
      { issuer: 'https://id.test', secrets: ['another secret of the tests'] },
    ];
    for (const options of others) {
      expect(open(createEnvelope(createKeyRing(options)).seal(purpose, plaintext))).toBeUndefined();
    }
  });

  test('a token of more than 128 KB, at which nobody looks', () => {
    expect(open(envelope.seal(purpose, Buffer.alloc(98_000)))).toHaveLength(98_000);
    expect(open(envelope.seal(purpose, Buffer.alloc(98_304)))).toBeUndefined();
  });
});

describe('a header made with the right key', () => {
  test('opens when it is exactly ours', () => {
    expect(open(forge({}))).toEqual(plaintext);
  });

  const extra = (member: string) => `{"alg":"dir","enc":"A256GCM","kid":"${kid}",${member}}`;
  const headers: Readonly<Record<string, string>> = {
    zip: extra('"zip":"DEF"'),
    crit: extra('"crit":["exp"],"exp":1'),
    p2c: extra('"p2c":1000000000,"p2s":"AAAA"'),
    epk: extra('"epk":{"kty":"EC"}'),
    jku: extra('"jku":"https://evil.test/keys"'),
    jwk: extra('"jwk":{"kty":"oct","k":"AAAA"}'),
    x5u: extra('"x5u":"https://evil.test/cert"'),
    x5c: extra('"x5c":[]'),
    typ: extra('"typ":"JWT"'),
    cty: extra('"cty":"JWT"'),
    ['__proto__']: extra('"__proto__":{"zip":"DEF"}'),
    'a member twice': `{"alg":"dir","alg":"dir","enc":"A256GCM","kid":"${kid}"}`,
    'another order': `{"enc":"A256GCM","alg":"dir","kid":"${kid}"}`,
    'white space': `{"alg": "dir", "enc": "A256GCM", "kid": "${kid}"}`,
    'a space at the end': `${properHeader} `,
    'a line break at the end': `${properHeader}\n`,
    'a byte order mark': `\ufeff${properHeader}`,
    escapes: `{"\\u0061lg":"dir","enc":"A256GCM","kid":"${kid}"}`,
    'no kid': '{"alg":"dir","enc":"A256GCM"}',
    'an empty kid': '{"alg":"dir","enc":"A256GCM","kid":""}',
    'a kid that is no text': '{"alg":"dir","enc":"A256GCM","kid":1}',
    'a kid with a quote': `{"alg":"dir","enc":"A256GCM","kid":"${kid}","kid":"${kid}"}`,
    'an unknown kid': '{"alg":"dir","enc":"A256GCM","kid":"1.AAAA"}',
    'another kind of alg': `{"alg":"A256GCMKW","enc":"A256GCM","kid":"${kid}"}`,
    'alg none': `{"alg":"none","enc":"A256GCM","kid":"${kid}"}`,
    'alg in capitals': `{"alg":"DIR","enc":"A256GCM","kid":"${kid}"}`,
    'alg PBES2': `{"alg":"PBES2-HS256+A128KW","enc":"A256GCM","kid":"${kid}"}`,
    'enc A128GCM': `{"alg":"dir","enc":"A128GCM","kid":"${kid}"}`,
    'enc A256CBC-HS512': `{"alg":"dir","enc":"A256CBC-HS512","kid":"${kid}"}`,
    'an empty object': '{}',
    'no JSON': 'dir',
    nothing: '',
  };

  test.each(Object.entries(headers))('does not open with %s', (_name, header) => {
    expect(open(forge({ header }))).toBeUndefined();
  });

  test('does not open with a tag or a nonce of another length, a key inside, or no padding', () => {
    for (const tagBytes of [4, 8, 12, 15]) expect(open(forge({ tagBytes }))).toBeUndefined();
    for (const ivBytes of [8, 11, 13, 16]) expect(open(forge({ ivBytes }))).toBeUndefined();
    expect(open(forge({}).replace('..', '.AAAA.'))).toBeUndefined();
    expect(open(forge({ bytes: Buffer.alloc(64) }))).toBeUndefined();
    expect(open(forge({ bytes: Buffer.alloc(0) }))).toBeUndefined();
  });
});
