import { createHash } from 'node:crypto';
import type { ObjectChoice } from '../url.ts';
import { codeOf } from './failure.ts';
import type { Attribute, Handle } from './module.ts';
import type { Session } from './session.ts';

const objectsPerCall = 64;

export const findObjects = ({ module, handle }: Session, template: Attribute[]): readonly Handle[] => {
  module.C_FindObjectsInit(handle, template);
  try {
    const found: Handle[] = [];
    for (;;) {
      const objects = module.C_FindObjects(handle, objectsPerCall);
      found.push(...objects);
      if (objects.length === 0) return found;
    }
  } finally {
    module.C_FindObjectsFinal(handle);
  }
};

export const choiceTemplate = ({ pkcs11 }: Session, { label, id }: ObjectChoice): Attribute[] => [
  ...(label === undefined ? [] : [{ type: pkcs11.CKA_LABEL, value: label }]),
  ...(id === undefined ? [] : [{ type: pkcs11.CKA_ID, value: Buffer.from(id, 'hex') }]),
];

/** The object does not have the attribute, or does not show it. */
const absentCodes = ['CKR_ATTRIBUTE_TYPE_INVALID', 'CKR_ATTRIBUTE_SENSITIVE'];

/** One attribute. Undefined if the object does not have it, or it is empty. */
export const attributeOf = ({ module, handle }: Session, object: Handle, type: number): Buffer | undefined => {
  try {
    const value = module.C_GetAttributeValue(handle, object, [{ type }])[0]?.value;
    return value && value.length > 0 ? value : undefined;
  } catch (error) {
    // pkcs11js throws a TypeError for an empty date.
    if (error instanceof TypeError || absentCodes.includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
};

export const isTrue = (value: Buffer | undefined): boolean => value?.[0] === 1;

export const numberOf = (value: Buffer | undefined): number | undefined =>
  value === undefined ? undefined : value.length === 8 ? Number(value.readBigUInt64LE()) : value.readUInt32LE();

/** The attributes that name an object, and order versions. */
export interface ObjectName {
  readonly object: Handle;
  readonly label: string;
  /** CKA_ID in hex. Empty if the object has none. */
  readonly id: string;
  /** CKA_START_DATE, `YYYYMMDD`. Empty if the object has none. */
  readonly startDate: string;
}

export const nameOf = (session: Session, object: Handle): ObjectName => {
  const { CKA_LABEL, CKA_ID, CKA_START_DATE } = session.pkcs11;
  return {
    object,
    label: attributeOf(session, object, CKA_LABEL)?.toString('utf8') ?? '',
    id: attributeOf(session, object, CKA_ID)?.toString('hex') ?? '',
    startDate: attributeOf(session, object, CKA_START_DATE)?.toString('latin1') ?? '',
  };
};

/** From the oldest to the newest: by start date, where keys without one come first, then by CKA_ID as a number. */
export const byAge = (a: ObjectName, b: ObjectName): number =>
  compare(a.startDate, b.startDate) || compare(a.id.length, b.id.length) || compare(a.id, b.id);

const compare = <Value extends string | number>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

/** Part of a handle: a new key under the id of a deleted one has another handle. */
export const fingerprint = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
