import { createPrivateKey, createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { verifySignature } from '@carnet/signer-contract/jws';
import { ConfigError } from '../../errors.ts';
import type { KeysConfig } from '../config.ts';
import { algorithmOf, assertStrong, createLocalSigner, type Signer } from '../signing/signer.ts';

const generateHint = 'Make a new set with `carnet keys generate --out <file>`.';

type Entry = Readonly<Record<string, unknown>>;

const parsePrivateKey = (jwk: Entry): { privateKey: KeyObject; publicKey: KeyObject } => {
  if (typeof jwk.d !== 'string') throw new Error('is not a private key (it has no "d")');
  if (jwk.use !== undefined && jwk.use !== 'sig') throw new Error('is not for signing ("use" is not "sig")');
  try {
    // `format: 'jwk'` for both: the public key is created from the public members only.
    const { d: _, ...publicMembers } = jwk as JsonWebKeyInput['key'];
    return {
      privateKey: createPrivateKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' }),
      publicKey: createPublicKey({ key: publicMembers, format: 'jwk' }),
    };
  } catch {
    // The cause is dropped deliberately: the message of a JWK parser may quote the key.
    throw new Error('is not a valid JWK');
  }
};

const assertUsable = (key: KeyObject, statedAlg: unknown): void => {
  const alg = algorithmOf(key);
  if (alg === undefined) throw new Error('is of a type that Carnet does not sign with; use RSA, P-256 or Ed25519');
  if (statedAlg !== undefined && statedAlg !== alg) throw new Error(`has an "alg" that is not ${alg}; use ${alg}`);
  assertStrong(key);
};

/** The signer of a private JWK. Throws an Error whose message completes "the key ..." and does not quote the key. */
export const parsePrivateSigner = (jwk: Entry): Signer => {
  if (jwk.kid !== undefined && (typeof jwk.kid !== 'string' || jwk.kid === '')) throw new Error('has an empty "kid"');
  const { privateKey, publicKey } = parsePrivateKey(jwk);
  assertUsable(privateKey, jwk.alg);
  const signer = createLocalSigner({ privateKey, kid: jwk.kid });
  const probe = Buffer.from('carnet');
  const signature = signer.sign(probe) as Uint8Array;
  if (!verifySignature(signer.alg, publicKey, probe, signature)) {
    throw new Error('has public and private members that do not belong together');
  }
  return signer;
};

const parseSigners = (entries: readonly Entry[], source: string): Signer[] => {
  const problems: string[] = [];
  const signers = new Map<string, Signer>();
  for (const [index, jwk] of entries.entries()) {
    const name = `${source}: key ${index + 1}`;
    try {
      const signer = parsePrivateSigner(jwk);
      if (signers.has(signer.kid)) throw new Error('has the kid of a key before it; give each key its own');
      signers.set(signer.kid, signer);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}. ${generateHint}`);
    }
  }
  if (entries.length === 0) problems.push(`${source}: holds no key. ${generateHint}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return [...signers.values()];
};

const readEntries = (file: string): readonly Entry[] => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new ConfigError([
      `keys.file: ${file} can't be read (${code}). Set KEYS_FILE to a readable file. ${generateHint}`,
    ]);
  }
  let keys: unknown;
  try {
    keys = (JSON.parse(text) as { keys?: unknown } | null)?.keys;
  } catch {
    // The cause is dropped deliberately: JSON.parse quotes its input, which may be key material.
  }
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'object' || key === null)) {
    throw new ConfigError([`keys.file: ${file} is not a JWKS ({"keys":[...]}). ${generateHint}`]);
  }
  return keys;
};

const permissionWarnings = (file: string): string[] => {
  const mode = statSync(file).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  return [`keys.file: ${file} can be read by other users (mode ${mode.toString(8)}). Run: chmod 600 ${file}`];
};

/**
 * The signers of the configured private key set, in its order. If an algorithm has two keys, the first signs.
 *
 * @throws ConfigError if there is no key set, a key is not valid, or no key is for `idTokenAlg`
 */
export const loadKeys = (
  config: Pick<KeysConfig, 'file' | 'jwks' | 'idTokenAlg'>,
): { signers: Signer[]; warnings: string[] } => {
  const { file, jwks, idTokenAlg } = config;
  if (file === undefined && jwks === undefined)
    throw new ConfigError([`keys: there are no signing keys. ${generateHint}`]);
  const entries = file === undefined ? (jwks?.keys ?? []) : readEntries(file);
  const signers = parseSigners(entries, file === undefined ? 'keys.jwks' : `keys.file: ${file}`);
  const algorithms = [...new Set(signers.map((signer) => signer.alg))];
  if (!algorithms.includes(idTokenAlg)) {
    throw new ConfigError([
      `keys.idTokenAlg: there is no ${idTokenAlg} key. Set ID_TOKEN_ALG to ${algorithms.join(' or ')}, or add an ${idTokenAlg} key.`,
    ]);
  }
  return { signers, warnings: file === undefined ? [] : permissionWarnings(file) };
};
