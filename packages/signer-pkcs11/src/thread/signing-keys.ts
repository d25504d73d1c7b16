import { algorithmOf, type RemoteKey } from '@carnet/signer-contract';
import type { ObjectChoice } from '../url.ts';
import { FailureError } from './failure.ts';
import type { Handle } from './module.ts';
import { attributeOf, byAge, choiceTemplate, findObjects, fingerprint, isTrue, nameOf, numberOf } from './objects.ts';
import { publicKeyOf } from './public-key.ts';
import type { Session } from './session.ts';

const smallestRsaBits = 2_048;

export interface SigningKey extends RemoteKey {
  readonly object: Handle;
}

const describe = (label: string, id: string): string =>
  `the key ${JSON.stringify(label)} with the CKA_ID ${id || '(none)'}`;

/** Reads one private key object. A string says why the key is left out. Undefined: Carnet does not sign with its type. */
const readKey = (session: Session, object: Handle): { key: SigningKey; warnings: string[] } | string | undefined => {
  const { CKA_KEY_TYPE, CKA_ALWAYS_AUTHENTICATE, CKA_EXTRACTABLE } = session.pkcs11;
  const { label, id, ...name } = nameOf(session, object);
  const named = describe(label, id);
  if (isTrue(attributeOf(session, object, CKA_ALWAYS_AUTHENTICATE)))
    return `${named} is not used: it demands the PIN for each signature (CKA_ALWAYS_AUTHENTICATE)`;
  const keyType = numberOf(attributeOf(session, object, CKA_KEY_TYPE)) ?? -1;
  const publicKey = publicKeyOf(session, { ...name, label, id, object }, keyType);
  if (!publicKey)
    return `${named} is not used: no public key or certificate of a type that Carnet signs with has its CKA_ID`;
  const alg = algorithmOf(publicKey);
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? smallestRsaBits;
  if (!alg || bits < smallestRsaBits) return undefined;
  const handle = `${id}:${label}:${fingerprint(publicKey.export({ type: 'spki', format: 'der' }))}`;
  const isExtractable = isTrue(attributeOf(session, object, CKA_EXTRACTABLE));
  const warnings = isExtractable
    ? [`${named} can be extracted from the token (CKA_EXTRACTABLE): generate one that cannot`]
    : [];
  return { key: { object, handle, alg, publicKey: publicKey.export({ format: 'jwk' }) }, warnings };
};

/** Lists the private keys that may sign and match the URL, from the oldest to the newest, and warns the operator. */
export const findSigningKeys = (session: Session, choice: ObjectChoice) => {
  const { CKA_CLASS, CKO_PRIVATE_KEY, CKA_SIGN } = session.pkcs11;
  const objects = findObjects(session, [
    { type: CKA_CLASS, value: CKO_PRIVATE_KEY },
    { type: CKA_SIGN, value: true },
    ...choiceTemplate(session, choice),
  ]);
  const ordered = objects.map((object) => nameOf(session, object)).toSorted(byAge);
  const keys: SigningKey[] = [];
  const warnings: string[] = [];
  for (const { object } of ordered) {
    const read = readKey(session, object);
    if (typeof read === 'string') warnings.push(read);
    else if (read) {
      keys.push(read.key);
      warnings.push(...read.warnings);
    }
  }
  assertUnique(keys);
  return { keys, warnings };
};

/** Two private keys with one CKA_ID would share one public half: one of them could not be verified. */
const assertUnique = (keys: readonly SigningKey[]): void => {
  const handles = new Set<string>();
  for (const { handle } of keys) {
    if (handles.has(handle))
      throw new FailureError('unfit', `two private keys share the handle ${handle}: give each key its own CKA_ID`);
    handles.add(handle);
  }
};
