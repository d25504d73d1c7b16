import { randomBytes } from 'node:crypto';
import type { ObjectChoice } from '../url.ts';
import { codeOf, FailureError } from './failure.ts';
import { byAge, choiceTemplate, findObjects, nameOf, type ObjectName } from './objects.ts';
import type { Session } from './session.ts';

/**
 * A wrapped secret: format 1, the length of CKA_ID, CKA_ID, the initialization vector, then the secret as AES-GCM encrypts it
 * with its tag at the end. The tag covers all bytes before the vector as well (additional authenticated data).
 */
const format = 1;
const ivBytes = 12;
const tagBytes = 16;

const changed = (): never => {
  throw new FailureError('unfit', 'the wrapped secret was changed, or another key wrapped it');
};

/** The AES keys that match the URL, from the oldest to the newest. */
const findKeys = (session: Session, choice: ObjectChoice): readonly ObjectName[] => {
  const { CKA_CLASS, CKO_SECRET_KEY, CKA_KEY_TYPE, CKK_AES, CKA_ENCRYPT, CKA_DECRYPT } = session.pkcs11;
  const keys = findObjects(session, [
    { type: CKA_CLASS, value: CKO_SECRET_KEY },
    { type: CKA_KEY_TYPE, value: CKK_AES },
    { type: CKA_ENCRYPT, value: true },
    { type: CKA_DECRYPT, value: true },
    ...choiceTemplate(session, choice),
  ]).map((object) => nameOf(session, object));
  if (new Set(keys.map(({ id }) => id)).size < keys.length || keys.some(({ id }) => id === ''))
    throw new FailureError('unfit', 'each AES key that matches the URL needs a CKA_ID of its own');
  return keys.toSorted(byAge);
};

const mechanismOf = ({ CKM_AES_GCM, CK_PARAMS_AES_GCM_v240 }: Session['pkcs11'], iv: Buffer, aad: Buffer) => ({
  mechanism: CKM_AES_GCM,
  parameter: { type: CK_PARAMS_AES_GCM_v240, iv, ivBits: 8 * ivBytes, aad, tagBits: 8 * tagBytes },
});

type Key = Pick<ObjectName, 'object' | 'id'>;

const encrypt = ({ pkcs11, module, handle }: Session, key: Key, secret: Uint8Array): Uint8Array => {
  const id = Buffer.from(key.id, 'hex');
  const header = Buffer.concat([Buffer.from([format, id.length]), id]);
  const iv = randomBytes(ivBytes);
  module.C_EncryptInit(handle, mechanismOf(pkcs11, iv, header), key.object);
  const encrypted = module.C_Encrypt(handle, Buffer.from(secret), Buffer.alloc(secret.length + tagBytes));
  return Uint8Array.from(Buffer.concat([header, iv, encrypted]));
};

const headerBytesOf = (wrapped: Uint8Array): number => 2 + (wrapped[1] ?? 0);

const decrypt = ({ pkcs11, module, handle }: Session, key: Key, wrapped: Buffer): Uint8Array => {
  const header = wrapped.subarray(0, headerBytesOf(wrapped));
  const iv = wrapped.subarray(header.length, header.length + ivBytes);
  const encrypted = wrapped.subarray(header.length + ivBytes);
  module.C_DecryptInit(handle, mechanismOf(pkcs11, iv, header), key.object);
  return Uint8Array.from(module.C_Decrypt(handle, encrypted, Buffer.alloc(encrypted.length)));
};

/** Encrypts with the newest key, and a random vector for each call. */
export const wrap = (session: Session, choice: ObjectChoice, secret: Uint8Array): Uint8Array => {
  const key = findKeys(session, choice).at(-1);
  if (key) return encrypt(session, key, secret);
  throw new FailureError(
    'unfit',
    'the token has no AES key that matches the URL and may encrypt and decrypt: generate one',
  );
};

/** The codes for a tag that does not match, and the codes that some modules return for it. SoftHSM: CKR_GENERAL_ERROR. */
const tagCodes = ['CKR_ENCRYPTED_DATA_INVALID', 'CKR_ENCRYPTED_DATA_LEN_RANGE', 'CKR_AEAD_DECRYPT_FAILED'];
const ambiguousCodes = ['CKR_GENERAL_ERROR', 'CKR_FUNCTION_FAILED', 'CKR_DATA_INVALID'];

/** A fresh value makes the round trip: session and key work. */
const isWorking = (session: Session, key: Key): boolean => {
  try {
    return decrypt(session, key, Buffer.from(encrypt(session, key, Buffer.of(1))))[0] === 1;
  } catch {
    return false;
  }
};

/** Decrypts with the key whose CKA_ID the wrapped secret names, even if a newer key exists. */
export const unwrap = (session: Session, choice: ObjectChoice, wrapped: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(wrapped);
  const headerBytes = headerBytesOf(bytes);
  if (bytes[0] !== format || bytes.length <= headerBytes + ivBytes + tagBytes) return changed();
  const id = bytes.subarray(2, headerBytes).toString('hex');
  const key = findKeys(session, choice).find((each) => each.id === id) ?? changed();
  try {
    return decrypt(session, key, bytes);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (tagCodes.includes(code) || (ambiguousCodes.includes(code) && isWorking(session, key))) return changed();
    throw error;
  }
};
