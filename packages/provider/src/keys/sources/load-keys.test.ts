import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { generateKeys } from './generate-keys.ts';
import { loadKeys } from './load-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'carnet-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string, mode = 0o600): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

const problemsOf = (config: Parameters<typeof loadKeys>[0]): readonly string[] => {
  try {
    loadKeys(config);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const idTokenAlg = 'ES256';
const [ec] = generateKeys(['ES256']).keys;
const [other] = generateKeys(['ES256']).keys;
if (ec === undefined || other === undefined) throw new Error('two keys were generated');

describe('loading signing keys', () => {
  it('reads a generated file, and warns of nothing when only its owner can read it', () => {
    const file = write('all.json', JSON.stringify(generateKeys()));
    const { signers, warnings } = loadKeys({ file, idTokenAlg });
    expect(signers.map((signer) => signer.alg)).toEqual(['RS256', 'ES256', 'EdDSA']);
    expect(warnings).toEqual([]);
  });

  it('warns of a file that others can read', () => {
    const file = write('open.json', JSON.stringify({ keys: [ec] }), 0o644);
    expect(loadKeys({ file, idTokenAlg }).warnings).toEqual([expect.stringContaining(`chmod 600 ${file}`)]);
  });

  const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'jwk' });
  const { d: _, ...publicOnly } = ec;
  it.each([
    ['a public key', [publicOnly], 'key 1 is not a private key'],
    ['an RSA key of 1024 bits', [rsa1024], 'RSA key of 1024 bits; use at least 2048'],
    ['two keys with one kid', [ec, { ...other, kid: ec.kid }], 'key 2 has the kid of a key before it'],
    ['a curve it does not sign with', [p384], 'use RSA, P-256 or Ed25519'],
    ['an encryption key', [{ ...ec, use: 'enc' }], 'not for signing'],
    ["an alg that is not the key's", [{ ...ec, alg: 'RS256' }], 'has an "alg" that is not ES256'],
    ['the private half of another key', [{ ...ec, d: other.d }], 'key 1'],
    ['something that is no key', [{ kty: 'EC', d: 'x' }], 'is not a valid JWK'],
    ['an empty set', [], 'holds no key'],
  ])('refuses %s', (_title, keys, problem) => {
    expect(problemsOf({ jwks: { keys }, idTokenAlg }).join()).toContain(problem);
  });

  it('lists every bad key at once, without a private member in the message', () => {
    const problems = problemsOf({ jwks: { keys: [publicOnly, { ...ec, d: 'AAAA-private' }, rsa1024] }, idTokenAlg });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('AAAA-private');
  });

  it('says which algorithms there are when none is for ID tokens', () => {
    expect(problemsOf({ jwks: { keys: [ec] }, idTokenAlg: 'RS256' })).toEqual([
      expect.stringContaining('Set ID_TOKEN_ALG to ES256'),
    ]);
  });

  it.each([
    ['is missing', join(folder, 'absent.json'), 'ENOENT'],
    ['is not JSON', write('text.json', '{"keys":[{"d":"hidden'), 'is not a JWKS'],
    ['is no key set', write('list.json', '[1]'), 'is not a JWKS'],
    ['is null', write('null.json', 'null'), 'is not a JWKS'],
  ])('says what to do when the file %s, quoting nothing of it', (_title, file, problem) => {
    const [text] = problemsOf({ file, idTokenAlg });
    expect(text).toContain(problem);
    expect(text).toContain('carnet keys generate');
    expect(text).not.toContain('hidden');
  });

  it('refuses to go on without keys', () => {
    expect(problemsOf({ idTokenAlg })).toEqual([expect.stringContaining('there are no signing keys')]);
  });
});
