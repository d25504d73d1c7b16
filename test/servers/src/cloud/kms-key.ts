import { createCipheriv, createDecipheriv, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { GoogleRefusal } from './google-status.ts';
import { createEcdsa, derOf, signRsaDigest } from './sign-digest.ts';

/** The algorithms of Cloud KMS that the stand-in has. */
const kmsAlgorithms = {
  EC_SIGN_P256_SHA256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EC_SIGN_ED25519: () => generateKeyPairSync('ed25519'),
  RSA_SIGN_PKCS1_2048_SHA256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  RSA_SIGN_PSS_2048_SHA256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} satisfies Readonly<Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }>>;

type KmsAlgorithm = keyof typeof kmsAlgorithms;

export interface KmsVersion {
  readonly name: string;
  readonly algorithm: KmsAlgorithm | 'GOOGLE_SYMMETRIC_ENCRYPTION';
  state: 'ENABLED' | 'DISABLED';
  readonly pem?: string;
  /** Signs a digest, or with Ed25519 data. */
  readonly sign?: (input: Buffer) => Buffer;
  /** Of a symmetric key. */
  readonly secret?: Buffer;
}

const signWith = (algorithm: KmsAlgorithm, privateKey: KeyObject): ((input: Buffer) => Buffer) => {
  if (algorithm === 'EC_SIGN_ED25519') return (data) => sign(null, data, privateKey);
  if (algorithm !== 'EC_SIGN_P256_SHA256') return (digest) => signRsaDigest(privateKey, digest);
  const ecdsa = createEcdsa(privateKey);
  return (digest) => derOf(ecdsa(digest));
};

export const createVersion = (name: string, algorithm: KmsVersion['algorithm']): KmsVersion => {
  if (algorithm === 'GOOGLE_SYMMETRIC_ENCRYPTION')
    return { name, algorithm, state: 'ENABLED', secret: randomBytes(32) };
  const { privateKey, publicKey } = kmsAlgorithms[algorithm]();
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { name, algorithm, state: 'ENABLED', pem, sign: signWith(algorithm, privateKey) };
};

/** @throws GoogleRefusal */
export const signInput = (
  { name, algorithm, sign: signed }: KmsVersion,
  { digest, data }: { readonly digest?: Buffer; readonly data?: Buffer },
): Buffer => {
  if (signed === undefined) throw new GoogleRefusal('FAILED_PRECONDITION', `${name} is not for signing.`);
  if (algorithm === 'EC_SIGN_ED25519') {
    if (data === undefined) throw new GoogleRefusal('INVALID_ARGUMENT', 'EC_SIGN_ED25519 requires the field data.');
    return signed(data);
  }
  if (digest === undefined) throw new GoogleRefusal('INVALID_ARGUMENT', `${algorithm} requires the field digest.`);
  if (digest.length !== 32) throw new GoogleRefusal('INVALID_ARGUMENT', 'The length of the digest is wrong.');
  return signed(digest);
};

/** @param number the version that encrypts, which decryption reads from the ciphertext */
export const encryptWith = (secret: Buffer, number: number, plaintext: Buffer, aad: Buffer): Buffer => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(aad);
  return Buffer.concat([Buffer.from([number]), iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};

/** @throws GoogleRefusal */
export const decryptWith = (secret: Buffer, ciphertext: Buffer, aad: Buffer): Buffer => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, ciphertext.subarray(1, 13)).setAAD(aad);
    decipher.setAuthTag(ciphertext.subarray(-16));
    return Buffer.concat([decipher.update(ciphertext.subarray(13, -16)), decipher.final()]);
  } catch {
    throw new GoogleRefusal('INVALID_ARGUMENT', 'Decryption failed: verify that the ciphertext and the AAD are right.');
  }
};

/** CRC-32C bit by bit: slow, and independent of the code that is tested. */
export const crc32c = (bytes: Uint8Array): number => {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0x82f63b78 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
};

/** Whether the request has this checksum. @throws GoogleRefusal if it is wrong */
export const verifiesChecksum = (given: unknown, bytes: Uint8Array, name: string): boolean => {
  if (given === undefined) return false;
  if (String(given) === String(crc32c(bytes))) return true;
  throw new GoogleRefusal('INVALID_ARGUMENT', `The checksum in field ${name} did not match the data in the field.`);
};
