import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { createEcdsa, derOf, signRsaDigest } from './sign-digest.ts';

export type TransitType = 'ecdsa-p256' | 'rsa-2048' | 'ed25519' | 'aes256-gcm96';

export interface TransitVersion {
  readonly publicKey?: string;
  readonly privateKey?: KeyObject;
  /** ECDSA of a digest, 64 bytes. */
  readonly ecdsa?: (digest: Buffer) => Buffer;
  readonly secret?: Buffer;
  readonly createdAt: Date;
}

export interface TransitKey {
  readonly type: TransitType;
  readonly versions: TransitVersion[];
  minEncryptionVersion: number;
  minAvailableVersion: number;
}

/** A refusal as Vault writes it. */
export class VaultRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

export const createTransitVersion = (type: TransitType): TransitVersion => {
  const createdAt = new Date();
  if (type === 'aes256-gcm96') return { secret: randomBytes(32), createdAt };
  if (type === 'ed25519') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    return { privateKey, publicKey: Buffer.from(x as string, 'base64url').toString('base64'), createdAt };
  }
  if (type === 'rsa-2048') {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return { privateKey, publicKey: pemOf(publicKey), createdAt };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey: pemOf(publicKey), ecdsa: createEcdsa(privateKey), createdAt };
};

interface SignOptions {
  readonly input: Buffer;
  readonly isPrehashed: boolean;
  readonly isJws: boolean;
  readonly isPkcs1: boolean;
}

/** Signs as Vault does: RSASSA-PSS unless PKCS #1 v1.5 is demanded. @throws VaultRefusal */
export const signTransit = ({ type }: TransitKey, version: TransitVersion, options: SignOptions): Buffer => {
  const { input, isPrehashed, isJws, isPkcs1 } = options;
  const { privateKey, ecdsa } = version;
  if (privateKey === undefined) throw new VaultRefusal(400, `key type ${type} does not support signing`);
  if (type === 'ed25519') return sign(null, input, privateKey);
  const digest = isPrehashed ? input : createHash('sha256').update(input).digest();
  if (digest.length !== 32) throw new VaultRefusal(500, 'crypto/rsa: input must be hashed message');
  if (ecdsa !== undefined) return isJws ? ecdsa(digest) : derOf(ecdsa(digest));
  if (isPkcs1) return signRsaDigest(privateKey, digest);
  // A digest is hashed once more here: a signature with PSS is of no use to a signer either way.
  return sign('sha256', input, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING });
};

export const encryptTransit = (secret: Buffer, plaintext: Buffer, associated: Buffer): Buffer => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(associated);
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};

/** @throws VaultRefusal */
export const decryptTransit = (secret: Buffer, ciphertext: Buffer, associated: Buffer): Buffer => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, ciphertext.subarray(0, 12)).setAAD(associated);
    decipher.setAuthTag(ciphertext.subarray(-16));
    return Buffer.concat([decipher.update(ciphertext.subarray(12, -16)), decipher.final()]);
  } catch {
    throw new VaultRefusal(400, 'invalid ciphertext: unable to decrypt');
  }
};
